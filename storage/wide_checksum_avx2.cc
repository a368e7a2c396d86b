// See wide_checksum.h. Includes nothing else: storage/CMakeLists.txt compiles this file alone for AVX2.
#ifdef __x86_64__
#define XXH_INLINE_ALL
#include <xxhash.h>

extern "C" unsigned long ThresherXxh3WithAvx2(const void* bytes, unsigned long size);
extern "C" unsigned long ThresherXxh3WithAvx2(const void* bytes, unsigned long size) {
  return XXH3_64bits(bytes, size);
}
#endif
