// Any bytes as a request of the spamd protocol: the parser says the same however they are split, and keeps
// its limit.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pipeline/serve/inflate.h"
#include "pipeline/serve/spamd_parser.h"

namespace {

using thresher::pipeline::SpamdParser;
using thresher::pipeline::SpamdRequest;

constexpr size_t kMost = 2000;

// What a parser has found, as one text, when it gets `portion` bytes at a time.
std::string Read(std::string_view bytes, size_t portion) {
  SpamdParser parser(kMost);
  size_t taken = 0;
  while (!bytes.empty() && !parser.is_done()) {
    const std::string_view some = bytes.substr(0, portion);
    const size_t count = parser.Take(some);
    if (count > some.size() || (count < some.size() && !parser.is_done())) std::abort();
    taken += count;
    bytes.remove_prefix(some.size());
  }
  if (!parser.is_done()) parser.TakeEnd();
  if (!parser.is_done()) std::abort();
  if (const auto& problem = parser.problem()) return std::to_string(problem->code) + problem->why;
  const SpamdRequest& request = parser.request();
  if (request.message.size() > kMost) std::abort();
  if (request.compressed) {
    const auto message = thresher::pipeline::Inflate(request.message, kMost);
    if (message && message->size() > kMost) std::abort();
  }
  return std::to_string(taken) + "," + std::to_string(static_cast<int>(request.verb)) + request.user + "\n" +
         (request.set_local ? "s" : "") + (request.remove_local ? "r" : "") + request.message;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = Read(bytes, std::max<size_t>(size, 1));
  if (Read(bytes, 1 + size % 61) != whole) std::abort();
  return 0;
}
