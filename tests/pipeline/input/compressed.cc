#include "tests/pipeline/input/compressed.h"

#include <zstd.h>

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <memory>
#include <sstream>

namespace thresher::pipeline {
namespace {

namespace io = boost::iostreams;

template <class Compressor>
std::string CompressedBy(const Compressor& compressor, std::string_view bytes) {
  std::ostringstream compressed;
  io::filtering_ostream chain;
  chain.push(compressor);
  chain.push(compressed);
  chain.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  chain.reset();
  return compressed.str();
}

}  // namespace

std::string Compressed(std::string_view format, std::string_view bytes) {
  if (format == "gzip") return CompressedBy(io::gzip_compressor(), bytes);
  if (format == "bzip2") return CompressedBy(io::bzip2_compressor(), bytes);
  if (format == "xz") return CompressedBy(io::lzma_compressor(), bytes);
  // As the zstd program does it: with a checksum.
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string compressed(ZSTD_compressBound(bytes.size()), '\0');
  compressed.resize(
      ZSTD_compress2(context.get(), compressed.data(), compressed.size(), bytes.data(), bytes.size()));
  return compressed;
}

}  // namespace thresher::pipeline
