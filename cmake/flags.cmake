# Flags for every target of the project. Results must be the same bits everywhere, so there is no
# fused multiply-add, no fast-math and no -march=native: see CONTRIBUTING.md.
add_library(thresher_flags INTERFACE)
target_compile_options(thresher_flags INTERFACE
  -Wall -Wextra -Wpedantic -Werror
  -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast -Wcast-qual
  -Wimplicit-fallthrough -Wextra-semi
  # g++ 12 sees overlapping copies in std::string where there are none (GCC bug 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  # … and copies of impossible length (GCC bug 105329).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds>
  # … and takes classes of a .cc file for those of a header where a unit includes several files.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wno-subobject-linkage>
  -ffp-contract=off -fno-fast-math)
target_include_directories(thresher_flags INTERFACE ${PROJECT_SOURCE_DIR})

if(THRESHER_SANITIZE)
  add_compile_options(-fsanitize=${THRESHER_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${THRESHER_SANITIZE})
  add_compile_definitions(THRESHER_SANITIZED)  # neither g++ nor clang defines a macro that the other does
  # Under sanitizers g++ 12 wrongly reports members of std::regex and other types as uninitialised.
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()
if(THRESHER_LIBFUZZER)
  # libFuzzer reads all counters of the program after each input. Only lld leaves out those of code that is not called.
  add_compile_options(-fsanitize=fuzzer-no-link -ffunction-sections -fdata-sections)
  add_link_options(-fsanitize=fuzzer-no-link -fuse-ld=lld LINKER:--gc-sections)
endif()
