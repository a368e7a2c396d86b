// HTML as mail programs and advertisers write it. Newsletters and spam share the same layouts: markup alone
// must not tell them apart.
//
// Thread-safety: pure but for the Random.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pipeline/generate/random.h"

namespace thresher::pipeline::synthetic {

struct Flyer {
  size_t layout = 0;  // which of the layouts, colours and fonts
  std::string headline;
  std::vector<std::string> paragraphs;
  std::string link;         // where its button leads
  std::string button;       // and what it says
  std::string image = {};   // source of a picture; may be empty
  std::string footer = {};  // markup
};

std::string FlyerHtml(const Flyer& flyer, Random& random);

// What a mail program makes of plain paragraphs.
std::string LetterHtml(const std::vector<std::string>& paragraphs, Random& random);

}  // namespace thresher::pipeline::synthetic
