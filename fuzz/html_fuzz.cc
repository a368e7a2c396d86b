// Rendering any bytes ends, gives the same result twice, and its text stays within bounds.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tokenizer/html.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using thresher::tokenizer::HtmlRendering;
  constexpr size_t kDepth = 8;
  const std::string_view html(reinterpret_cast<const char*>(data), size);
  HtmlRendering first;
  HtmlRendering second;
  thresher::tokenizer::RenderHtml(html, kDepth, &first);
  thresher::tokenizer::RenderHtml(html, kDepth, &second);
  if (first.text != second.text || first.structure != second.structure || first.links != second.links) {
    std::abort();
  }
  // A tag of three bytes adds a separator to both texts; an entity of three bytes gives at most three bytes.
  if (first.text.size() + first.hidden_text.size() > 2 * size + 2) std::abort();
  return 0;
}
