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

// Disguises longer words with the probability; leaves links and markup alone.
std::string DisguiseWords(std::string_view text, Disguise disguise, double probability, Random& random);

// Innocent words a reader of HTML does not get to see.
std::string HiddenText(std::string_view words, Random& random);

// A link to the domain that does not look like one.
std::string TrickyUrl(std::string_view domain, Random& random);

}  // namespace thresher::pipeline::synthetic
