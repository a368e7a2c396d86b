// URLs are found in order, lie within the text and have a host.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tokenizer/urls.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using thresher::tokenizer::Url;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const char* end_of_last = text.data();
  thresher::tokenizer::ForEachUrl(text, [&](const Url& url, std::string_view whole) {
    if (whole.data() < end_of_last || whole.data() + whole.size() > text.data() + text.size()) std::abort();
    if (url.host.empty() || url.host.size() > 255 || url.path_words.size() > 16) std::abort();
    end_of_last = whole.data() + whole.size();
  });
  Url url;
  if (thresher::tokenizer::ParseUrl(text, &url) && url.host.empty()) std::abort();
  return 0;
}
