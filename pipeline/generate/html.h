// HTML in the style of mail programs and advertisers. Newsletters and spam use the same layouts, so that
// markup alone does not tell them apart.
//
// Called by the writers of ham, shop mail and spam. Thread-safety: pure but for the Random.
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
  std::string link;         // target of its button
  std::string button;       // label of its button
  std::string image = {};   // source of a picture; may be empty
  std::string footer = {};  // markup
};

std::string FlyerHtml(const Flyer& flyer, Random& random);

// Plain paragraphs in the markup of a mail program.
std::string LetterHtml(const std::vector<std::string>& paragraphs, Random& random);

}  // namespace thresher::pipeline::synthetic
