// What the HTML renderer makes of a page, for its tests.
#pragma once

#include <gmock/gmock.h>

#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/html.h"

namespace thresher::tokenizer {

inline HtmlRendering Render(std::string_view html, size_t depth_limit = 256) {
  HtmlRendering rendering;
  RenderHtml(html, depth_limit, &rendering);
  return rendering;
}

inline std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

inline std::vector<std::string> Seen(std::string_view html) { return Words(Render(html).text); }
inline std::vector<std::string> Hidden(std::string_view html) { return Words(Render(html).hidden_text); }
inline std::vector<std::string> TextsOf(const TextList& list) {
  std::vector<std::string> texts;
  list.ForEach([&](std::string_view text) { texts.emplace_back(text); });
  return texts;
}

inline std::vector<std::string> Links(std::string_view html) { return TextsOf(Render(html).links); }
inline std::vector<std::string> Structure(std::string_view html) { return TextsOf(Render(html).structure); }

// The text of the page is "a", and nobody can read it.
inline void ExpectHidden(std::string_view html) {
  EXPECT_THAT(Hidden(html), testing::ElementsAre("a")) << html;
  EXPECT_THAT(Seen(html), testing::IsEmpty()) << html;
}

}  // namespace thresher::tokenizer
