# Links `thresher` from static archives. Loading thirty shared libraries takes longer than judging a message, and a
# mail system starts one process per message. So the program is linked from the static archives of Debian's -dev
# packages and needs only the C library to run. Tests and benchmarks use the shared libraries. So does `thresher` if
# THRESHER_ARCHIVES is off: under sanitizers, and in a distribution that requires it.
set(archives_default ON)
if(THRESHER_SANITIZE)
  set(archives_default OFF)
endif()
option(THRESHER_ARCHIVES "Link thresher from static archives: it starts ten times as fast" ${archives_default})

# The program has 27,000 addresses that the loader changes at each start. Packed, they are 20 KB to read and not 640.
include(CheckLinkerFlag)
check_linker_flag(CXX -Wl,-z,pack-relative-relocs THRESHER_PACKS_RELOCATIONS)

# In link order: a library comes before those that it uses.
set(THRESHER_ARCHIVE_NAMES
  yaml-cpp boost_iostreams
  gmime-3.0 gobject-2.0 glib-2.0 pcre2-8 ffi idn2 unistring
  icui18n icuuc icudata
  rocksdb snappy lz4 zstd bz2 lzma z
  nettle xxhash)

# link_folders(PROGRAM FOLDER…): links PROGRAM with the libraries of these folders and with all that they use.
function(link_folders program)
  if(NOT THRESHER_ARCHIVES)
    foreach(folder IN LISTS ARGN)
      thresher_library_name(library ${folder})
      target_link_libraries(${program} PRIVATE ${library})
    endforeach()
    return()
  endif()
  thresher_closure(folders ${ARGN})
  foreach(folder IN LISTS folders)
    thresher_library_name(library ${folder})
    target_include_directories(${program} PRIVATE $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
    list(APPEND libraries $<TARGET_FILE:${library}>)
    add_dependencies(${program} ${library})
  endforeach()
  target_link_libraries(${program} PRIVATE -Wl,--start-group ${libraries} -Wl,--end-group)
  foreach(name IN LISTS THRESHER_ARCHIVE_NAMES)
    find_library(ARCHIVE_${name} lib${name}.a REQUIRED)
    mark_as_advanced(ARCHIVE_${name})
    target_link_libraries(${program} PRIVATE ${ARCHIVE_${name}})
  endforeach()
  target_sources(${program} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/archives/fmt.cc
    ${PROJECT_SOURCE_DIR}/cmake/archives/gmime.cc)
  target_link_libraries(${program} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
  target_link_options(${program} PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections)
  if(THRESHER_PACKS_RELOCATIONS)
    target_link_options(${program} PRIVATE -Wl,-z,pack-relative-relocs)
  endif()
endfunction()
