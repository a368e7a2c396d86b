#include "pipeline/serve/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

namespace thresher::pipeline {

tl::expected<std::string, NotInflated> Inflate(std::string_view bytes, size_t most) {
  if (bytes.size() > std::numeric_limits<uInt>::max()) return tl::unexpected(NotInflated::kTooLarge);
  std::string in(bytes);  // zlib wants it to be writable
  z_stream stream{};
  if (::inflateInit(&stream) != Z_OK) return tl::unexpected(NotInflated::kMalformed);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  std::string out;
  std::array<char, 16384> part;  // NOLINT(cppcoreguidelines-pro-type-member-init): zlib writes it
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

}  // namespace thresher::pipeline
