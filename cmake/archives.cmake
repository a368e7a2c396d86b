# What `thresher` itself is linked from. Loading thirty shared libraries takes longer than judging a message, and a
# process per message pays for it each time; so the program is linked from the static archives of Debian's -dev
# packages and needs nothing but the C library to run. Tests and benchmarks stay with the shared libraries, and so
# does `thresher` where THRESHER_ARCHIVES is off: under sanitizers, and where a distribution wants it.
set(archives_default ON)
if(THRESHER_SANITIZE)
  set(archives_default OFF)
endif()
option(THRESHER_ARCHIVES "Link thresher from static archives: it starts ten times as fast" ${archives_default})

# Users before what they use.
set(THRESHER_ARCHIVE_NAMES
  yaml-cpp boost_iostreams
  gmime-3.0 gobject-2.0 glib-2.0 pcre2-8 ffi idn2 unistring
  icui18n icuuc icudata
  rocksdb snappy lz4 zstd bz2 lzma z
  xxhash)

# link_folders(PROGRAM FOLDER…): PROGRAM with our folders' libraries, users first, and all they need.
function(link_folders program)
  if(NOT THRESHER_ARCHIVES)
    target_link_libraries(${program} PRIVATE ${ARGN})
    return()
  endif()
  foreach(folder IN LISTS ARGN)
    target_include_directories(${program} PRIVATE $<TARGET_PROPERTY:${folder},INTERFACE_INCLUDE_DIRECTORIES>)
    target_link_libraries(${program} PRIVATE $<TARGET_FILE:${folder}>)
    add_dependencies(${program} ${folder})
  endforeach()
  foreach(name IN LISTS THRESHER_ARCHIVE_NAMES)
    find_library(ARCHIVE_${name} lib${name}.a REQUIRED)
    mark_as_advanced(ARCHIVE_${name})
    target_link_libraries(${program} PRIVATE ${ARCHIVE_${name}})
  endforeach()
  target_sources(${program} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/archives/fmt.cc
    ${PROJECT_SOURCE_DIR}/cmake/archives/gmime.cc)
  target_link_libraries(${program} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc)
endfunction()
