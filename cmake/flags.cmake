# One set of flags for every target of this project. Directory scope: nothing of it reaches a consumer.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()

# The same source gives the same bits on every x86-64: no contraction to fma, no fast-math, no -march.
# No semantic interposition: what the shared library shows may still be inlined inside it.
add_compile_options(-Wall -Wextra -Wconversion -Wshadow -ffp-contract=off -fno-semantic-interposition)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options(-Wno-sign-conversion)  # part of Clang's -Wconversion, not of GCC's; indices are int
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 warns wrongly of std::string + "literal" once all is inlined (GCC bug 105651); whether it does depends on the
  # lengths, so even on the folder of the checkout. The sanitizers see what these warnings guess.
  add_compile_options(-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread)
endif()
if(ESCAPEMENT_WERROR)
  add_compile_options(-Werror)
endif()
if(ESCAPEMENT_SANITIZE)
  add_compile_options(-fsanitize=${ESCAPEMENT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ESCAPEMENT_SANITIZE})
endif()

# ccache takes precompiled headers only with this slackness, and with GCC's -fpch-preprocess.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE_PROGRAM})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()
