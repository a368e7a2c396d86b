// How spammers hide words and addresses from filters.
//
// Used by the spam writer. Thread-safety: pure but for the Random.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/generate/random.h"

namespace thresher::pipeline::synthetic {

enum class Disguise {
  kNone,
  kLookAlikes,  // v1@gra
  kGaps,        // v i a g r a
  kMisspelt,    // viarga
  kComments,    // vi<!-- x -->agra, in HTML
  kEntities,    // &#118;iagra, in HTML
};

// Disguises each longer word with this probability, but not links and markup.
std::string DisguiseWords(std::string_view text, Disguise disguise, double probability, Random& random);

// Innocent words that HTML hides from the reader.
std::string HiddenText(std::string_view words, Random& random);

// A link to the domain that hides where it leads.
std::string TrickyUrl(std::string_view domain, Random& random);

}  // namespace thresher::pipeline::synthetic
