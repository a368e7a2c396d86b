# Precompiled headers. Most of the time of compiling a file is spent on reading the standard library, fmt,
# GoogleTest, nlohmann-json and RocksDB, so each set of these headers is read once per build. Every file still
# includes what it uses: preset fuzz and clang-tidy read the libraries without precompiled headers.
set(PRECOMPILED_STANDARD
  <algorithm> <array> <charconv> <cmath> <cstdint> <cstring> <filesystem> <functional> <map> <memory> <optional>
  <span> <string> <string_view> <unordered_map> <utility> <vector> <fmt/format.h> <tl/expected.hpp>)

# thresher_header_set(NAME [LIBRARIES LIBRARY…] [OPTIONS OPTION…] HEADERS HEADER…): defines the header set
# NAME. What is compiled with it is compiled with OPTIONS: the compiler requires that.
function(thresher_header_set name)
  cmake_parse_arguments(ARG "" "" "LIBRARIES;OPTIONS;HEADERS" ${ARGN})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/headers_${name}.cc CONTENT "// Has the headers compiled.\n")
  add_library(thresher_headers_${name} OBJECT ${PROJECT_BINARY_DIR}/generated/headers_${name}.cc)
  target_link_libraries(thresher_headers_${name} PRIVATE thresher_flags fmt::fmt ${ARG_LIBRARIES})
  target_compile_options(thresher_headers_${name} PRIVATE ${ARG_OPTIONS})
  set(THRESHER_OPTIONS_${name} ${ARG_OPTIONS} PARENT_SCOPE)
  target_precompile_headers(thresher_headers_${name} PRIVATE ${PRECOMPILED_STANDARD} ${ARG_HEADERS})
endfunction()

# thresher_precompile(TARGET NAME): compiles TARGET with the header set NAME.
function(thresher_precompile target name)
  target_link_libraries(${target} PRIVATE fmt::fmt)
  target_compile_options(${target} PRIVATE ${THRESHER_OPTIONS_${name}})
  target_precompile_headers(${target} REUSE_FROM thresher_headers_${name})
endfunction()

# Under sanitizers the optimiser takes half of the compile time. What computes at length keeps it, and fuzzers keep it all.
if(THRESHER_LIBFUZZER)
  set(less)
else()
  set(less $<$<CONFIG:RelWithDebInfo>:-O0>)
endif()
thresher_header_set(library OPTIONS ${less})
thresher_header_set(numeric)
# GMime requires macros that the other files do not define.
thresher_header_set(mime LIBRARIES PkgConfig::GMIME)
thresher_header_set(store LIBRARIES RocksDB::rocksdb HEADERS <rocksdb/db.h> <rocksdb/utilities/options_util.h>)
thresher_header_set(commands LIBRARIES nlohmann_json::nlohmann_json OPTIONS $<$<CONFIG:Release>:-O1> ${less}
  HEADERS <nlohmann/json.hpp>)
if(NOT BUILD_TESTING)
  return()
endif()
# The speed of tests is not measured. Those that compute at length are optimised a little, everywhere.
set(test_headers <fstream> <sstream> <gmock/gmock.h> <gtest/gtest.h>)
thresher_header_set(tests LIBRARIES GTest::gmock OPTIONS $<$<NOT:$<CONFIG:Debug>>:-O0> HEADERS ${test_headers})
thresher_header_set(numeric_tests LIBRARIES GTest::gmock OPTIONS $<$<CONFIG:Release>:-O1> HEADERS ${test_headers})
