# The front door. Everything else is CMake: see CMakePresets.json.
JOBS ?= $(shell nproc)

.PHONY: help build demo test bench format format-check full fuzz clean
help:
	@echo 'make demo          install what is missing, build, run the demo'
	@echo 'make test          install what is missing, build, run all tests'
	@echo 'make build         the library, the examples and the tests in build/release'
	@echo 'make bench         our benchmarks, then the peers (bench/)'
	@echo 'make format        rewrite the sources with clang-format 14;  make format-check only looks'
	@echo 'make full          Clang, debug, sanitizers, clang-tidy: minutes'
	@echo 'make fuzz          libFuzzer over scenes and formulas: a minute, or SECONDS=3600'
	@echo 'make clean         remove build/'

build:
	@scripts/install_deps core
	@scripts/build release $(JOBS)

demo:
	@scripts/install_deps core
	@scripts/build release $(JOBS) demo
	@build/release/demo

test: build
	@scripts/install_deps test
	@scripts/run_tests release
	@scripts/check_test_times.py build/release

bench:
	@scripts/install_deps core bench
	@scripts/build release $(JOBS) benchmarks
	@scripts/run_benchmarks

format:
	@scripts/install_deps core
	@scripts/format

format-check:
	@scripts/install_deps core
	@scripts/format --check

full:
	@scripts/install_deps core test sanitize full
	@scripts/build clang $(JOBS) && scripts/run_tests clang
	@scripts/build dev $(JOBS) && scripts/run_tests dev
	@scripts/build asan-ubsan $(JOBS) && scripts/run_tests asan-ubsan
	@scripts/tidy build/clang $(JOBS)

fuzz:
	@scripts/install_deps core sanitize
	@scripts/fuzz $(or $(SECONDS),60) $(JOBS)

clean:
	rm -rf build
