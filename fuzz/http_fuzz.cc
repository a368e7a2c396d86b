// Any bytes as HTTP requests: the parser says the same however they are split.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "pipeline/serve/http_parser.h"

namespace {

using thresher::pipeline::HttpParser;
using thresher::pipeline::HttpRequest;

constexpr size_t kMost = 2000;

// All requests up to the first problem, as one text, from `portion` bytes at a time.
std::string Read(std::string_view bytes, size_t portion) {
  HttpParser parser(kMost);
  std::string all;
  while (!bytes.empty()) {
    std::string_view some = bytes.substr(0, portion);
    bytes.remove_prefix(some.size());
    while (!some.empty()) {
      const size_t count = parser.Take(some);
      if (count > some.size() || (count < some.size() && !parser.is_done())) std::abort();
      some.remove_prefix(count);
      if (!parser.is_done()) continue;
      if (parser.problem()) return all + std::to_string(parser.problem()->status);
      const HttpRequest request = parser.TakeRequest();
      if (request.body.size() > kMost) std::abort();
      all += request.method + " " + request.path + "\n" + request.body + (request.keeps_alive ? "+" : "-");
      for (const auto& [name, value] : request.query) all.append(name).append("=").append(value);
      for (const auto& [name, value] : request.headers) all.append(name).append(":").append(value);
    }
  }
  parser.TakeEnd();
  return all + (parser.is_done() ? std::to_string(parser.problem()->status) : "");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = Read(bytes, std::max<size_t>(size, 1));
  if (Read(bytes, 1 + size % 61) != whole) std::abort();
  return 0;
}
