# thresher_folder(FOLDER [USES FOLDER…] [PUBLIC LIBRARY…] [PRIVATE LIBRARY…] [HEADERS SET]): one folder of thresher
# as one library.
#
# FOLDER is a path from the top of the project ("storage", "pipeline/model"). The library has the name of its last
# part (thresher_storage, thresher_model) and holds every .cc below it but main.cc. USES names all folders that it
# may include: the arrows. They are written to generated/arrows.txt; tests/house/arrows_test.cc checks every
# #include against them, and scripts/draw-architecture draws them. HEADERS names a set of cmake/precompiled.cmake
# (default: library). CMAKE_UNITY_BUILD (all presets but dev) compiles two dozen files of a library at once:
# local names are unique in a folder.
function(thresher_folder folder)
  cmake_parse_arguments(ARG "" "HEADERS" "USES;PUBLIC;PRIVATE" ${ARGN})
  thresher_library_name(library ${folder})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc)
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  add_library(${library} STATIC ${sources})
  target_link_libraries(${library} PRIVATE thresher_flags ${ARG_PRIVATE} PUBLIC ${ARG_PUBLIC})
  foreach(used IN LISTS ARG_USES)
    thresher_library_name(used_library ${used})
    target_link_libraries(${library} PUBLIC ${used_library})
  endforeach()
  if(NOT ARG_HEADERS)
    set(ARG_HEADERS library)
  endif()
  thresher_precompile(${library} ${ARG_HEADERS})
  set_target_properties(${library} PROPERTIES THRESHER_USES "${ARG_USES}")
  list(JOIN ARG_USES " " used_folders)
  set_property(GLOBAL APPEND_STRING PROPERTY THRESHER_ARROWS "${folder}: ${used_folders}\n")
endfunction()

function(thresher_library_name result folder)
  get_filename_component(name ${folder} NAME)
  set(${result} thresher_${name} PARENT_SCOPE)
endfunction()

# thresher_closure(RESULT FOLDER…): these folders and all that they use, directly or not.
function(thresher_closure result)
  set(closure)
  set(open ${ARGN})
  while(open)
    list(POP_FRONT open folder)
    if(folder IN_LIST closure)
      continue()
    endif()
    list(APPEND closure ${folder})
    thresher_library_name(library ${folder})
    get_target_property(uses ${library} THRESHER_USES)
    list(APPEND open ${uses})
  endwhile()
  set(${result} ${closure} PARENT_SCOPE)
endfunction()

# thresher_write_arrows(): writes the arrows of all folders. Call it after the last folder.
function(thresher_write_arrows)
  get_property(arrows GLOBAL PROPERTY THRESHER_ARROWS)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/arrows.txt CONTENT "${arrows}" @ONLY)
endfunction()

# thresher_embed(FOLDER HEADER NAMESPACE Name=PATH…): adds to a folder's library a function NAMESPACE::Name() for each
# file, declared in HEADER, that returns the file's bytes. An empty path stands for an empty file.
function(thresher_embed folder header namespace)
  thresher_library_name(library ${folder})
  set(out "${CMAKE_CURRENT_BINARY_DIR}/${library}_embedded.cc")
  list(JOIN ARGN "|" files)
  set(paths ${ARGN})
  list(TRANSFORM paths REPLACE "^[^=]*=" "")
  list(FILTER paths EXCLUDE REGEX "^$")
  add_custom_command(
    OUTPUT "${out}"
    COMMAND ${CMAKE_COMMAND} "-DOUT=${out}" "-DHEADER=${header}" "-DNAMESPACE=${namespace}" "-DFILES=${files}"
      -P "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake"
    DEPENDS ${paths} "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake"
    COMMENT "Embedding files of ${folder}"
    VERBATIM)
  target_sources(${library} PRIVATE "${out}")
  set_source_files_properties("${out}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
