#include "pipeline/serve/inflate.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <new>

namespace thresher::pipeline {
namespace {

constexpr size_t kPart = 16384;
constexpr int kWindowBits = 23;
constexpr std::string_view kBeginsFrame = "\x28\xb5\x2f\xfd";

}  // namespace

tl::expected<std::string, NotInflated> Inflate(std::string_view bytes, size_t most) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) return tl::unexpected(NotInflated::kTooLarge);
  std::string in(bytes);  // zlib wants it to be writable
  z_stream stream{};
  if (::inflateInit(&stream) != Z_OK) return tl::unexpected(NotInflated::kMalformed);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  std::string out;
  std::array<char, kPart> part;  // NOLINT(cppcoreguidelines-pro-type-member-init): zlib writes it
  int state = Z_OK;
  while (state == Z_OK && out.size() <= most) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    state = ::inflate(&stream, Z_NO_FLUSH);
    out.append(part.data(), part.size() - stream.avail_out);
  }
  const bool is_whole = state == Z_STREAM_END && stream.avail_in == 0;
  ::inflateEnd(&stream);
  if (out.size() > most) return tl::unexpected(NotInflated::kTooLarge);
  if (!is_whole) return tl::unexpected(NotInflated::kMalformed);
  return out;
}

tl::expected<std::string, NotInflated> InflateZstd(std::string_view bytes, size_t most) {
  // The library may read older formats, too, whose windows have no limit.
  if (!bytes.starts_with(kBeginsFrame)) return tl::unexpected(NotInflated::kMalformed);
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  if (context == nullptr) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, kWindowBits);
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  std::string out;
  std::array<char, kPart> part;  // NOLINT(cppcoreguidelines-pro-type-member-init): zstd writes it
  size_t left = 1;               // 0 at the end of the frame
  bool is_full = true;           // there may be more without more input
  while (left != 0 && (is_full || in.pos < in.size) && out.size() <= most) {
    ZSTD_outBuffer to{part.data(), part.size(), 0};
    left = ZSTD_decompressStream(context.get(), &to, &in);
    if (ZSTD_isError(left) != 0) return tl::unexpected(NotInflated::kMalformed);
    is_full = to.pos == to.size;
    out.append(part.data(), to.pos);
  }
  if (out.size() > most) return tl::unexpected(NotInflated::kTooLarge);
  if (left != 0 || in.pos < in.size) return tl::unexpected(NotInflated::kMalformed);
  return out;
}

}  // namespace thresher::pipeline
