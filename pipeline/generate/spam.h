// Unwanted mail, in campaigns: many messages of one spammer that differ a little and stop one day.
//
// Used by MailGenerator. Thread-safety: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/generate/disguise.h"
#include "pipeline/generate/envelope.h"
#include "pipeline/generate/world.h"

namespace thresher::pipeline::synthetic {

// How the messages of a campaign are built.
enum class Build {
  kPlain,       // text
  kFlyer,       // HTML, as newsletters
  kBase64,      // HTML that cannot be read raw
  kHidden,      // HTML with hidden innocent words
  kImage,       // hardly any text but a picture
  kEmpty,       // nothing but a subject
  kLetter,      // long text from somebody with much money
  kNotice,      // looks like the bank's
  kPersonal,    // looks like a friend's
  kAttachment,  // wants to be opened
  kAbroad,      // in another language
};

struct Campaign {
  Build build = Build::kPlain;
  size_t topic = 0;
  uint64_t fashion = 0;  // of its coined words
  Disguise disguise = Disguise::kNone;
  bool clean_relay = false;  // sent through a bulk mailer or a stolen account, not from a bot
  Shop sender;               // brand, link domain, layout
  size_t language = 0;
  size_t left = 0;  // messages
};

class Spammers {
 public:
  explicit Spammers(World& world);
  std::string Write(World& world);

 private:
  std::vector<Campaign> campaigns_;
};

}  // namespace thresher::pipeline::synthetic
