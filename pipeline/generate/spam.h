// Spam, in campaigns: many similar messages of one spammer for a limited time.
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

// The form of the messages of a campaign.
enum class Build {
  kPlain,       // text
  kFlyer,       // HTML, as newsletters
  kBase64,      // HTML in Base64
  kHidden,      // HTML with hidden innocent words
  kImage,       // a picture and hardly any text
  kEmpty,       // only a subject
  kLetter,      // long text from somebody with much money
  kNotice,      // looks like mail of a bank
  kPersonal,    // looks like mail of a friend
  kAttachment,  // asks to open an attachment
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
