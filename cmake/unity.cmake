# With ESCAPEMENT_UNITY the sources of a room are compiled as one unit: parsing the headers is most of the work. A room is
# what must not use one name twice in its anonymous namespaces. Off while one file at a time changes.
#   compile_as_rooms(TARGET [APART REGEX])   the files that REGEX matches stay units of their own
function(compile_as_rooms target)
  if(NOT ESCAPEMENT_UNITY)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 rooms "" "APART" "")
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A type of a room with a member from an anonymous namespace: only that room sees it. Names of one file may shadow those
  # of another; the build of single files looks for -Wshadow.
  target_compile_options(${target} PRIVATE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(rooms_APART AND source MATCHES "${rooms_APART}")
      continue()
    endif()
    cmake_path(GET source PARENT_PATH room)
    cmake_path(GET room FILENAME room)
    if(room STREQUAL "io")  # the largest: results and scenes apart
      string(REGEX MATCH "(scene|results|export)[^/]*$" room ${source})
      string(REGEX REPLACE "^(scene|results|export).*" "io_\\1" room "${room}")
      string(REPLACE "io_export" "io_results" room "${room}")
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${target}_${room}")
  endforeach()
endfunction()
