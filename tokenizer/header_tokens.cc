#include "tokenizer/header_tokens.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tokenizer/ascii.h"
#include "tokenizer/domain_name.h"
#include "tokenizer/domain_tokens.h"
#include "tokenizer/mail_address.h"
#include "tokenizer/shape.h"

namespace thresher::tokenizer {
namespace {

enum class HeaderKind {
  kOther,
  kSubject,
  kAddresses,
  kReceived,
  kMessageId,
  kDate,
  kMailer,
  kContentType,
  kIds,
  kSignature,
  kResults,
  kNameOnly
};

struct KnownHeader {
  std::string_view name;
  HeaderKind kind;
};

constexpr auto kKnownHeaders = std::to_array<KnownHeader>({
    {"received", HeaderKind::kReceived},
    {"subject", HeaderKind::kSubject},
    {"from", HeaderKind::kAddresses},
    {"to", HeaderKind::kAddresses},
    {"cc", HeaderKind::kAddresses},
    {"reply-to", HeaderKind::kAddresses},
    {"sender", HeaderKind::kAddresses},
    {"return-path", HeaderKind::kAddresses},
    {"errors-to", HeaderKind::kAddresses},
    {"message-id", HeaderKind::kMessageId},
    {"date", HeaderKind::kDate},
    {"x-mailer", HeaderKind::kMailer},
    {"user-agent", HeaderKind::kMailer},
    {"content-type", HeaderKind::kContentType},
    {"in-reply-to", HeaderKind::kIds},
    {"references", HeaderKind::kIds},
    {"dkim-signature", HeaderKind::kSignature},
    {"domainkey-signature", HeaderKind::kSignature},
    {"arc-seal", HeaderKind::kResults},
    {"arc-message-signature", HeaderKind::kResults},
    {"arc-authentication-results", HeaderKind::kResults},
    {"authentication-results", HeaderKind::kResults},
    {"received-spf", HeaderKind::kResults},
    {"x-google-dkim-signature", HeaderKind::kResults},
    // Addresses of list servers: List-Id has the same information.
    {"list-archive", HeaderKind::kNameOnly},
    {"list-help", HeaderKind::kNameOnly},
    {"list-owner", HeaderKind::kNameOnly},
    {"list-post", HeaderKind::kNameOnly},
    {"list-subscribe", HeaderKind::kNameOnly},
    {"list-unsubscribe", HeaderKind::kNameOnly},
});

// The number of bytes that are read of a header without a kind of its own.
constexpr size_t kMaxOtherBytes = 256;
constexpr size_t kMaxReceived = 16;

HeaderKind KindOf(std::string_view lower_name) {
  const auto* known = std::find_if(kKnownHeaders.begin(), kKnownHeaders.end(),
                                   [&](const KnownHeader& header) { return header.name == lower_name; });
  return known == kKnownHeaders.end() ? HeaderKind::kOther : known->kind;
}

bool AllDigits(std::string_view text) { return std::all_of(text.begin(), text.end(), IsAsciiDigit); }

// The value of a MIME parameter as it stands in the header; empty if there is none.
std::string_view Parameter(std::string_view lower_value, std::string_view name) {
  const size_t at = lower_value.find(name);
  if (at == std::string_view::npos) return {};
  std::string_view value = Trim(lower_value.substr(at + name.size()));
  if (!value.starts_with('=')) return {};
  value = Trim(value.substr(1));
  if (value.starts_with('"')) return value.substr(1, value.find('"', 1) - 1);
  return value.substr(0, std::min(value.find_first_of("; \t\r\n"), value.size()));
}

// The tags of a signature before its digests ("b=", "bh="), which are different in every message.
std::string_view WithoutSignature(std::string_view value) {
  return value.substr(0, std::min(value.find("b="), value.find("bh=")));
}

}  // namespace

HeaderTokens::HeaderTokens(const Options* options, CharsetConverter* charset, WordTokens* words,
                           FeatureBuilder* builder)
    : options_(options),
      charset_(charset),
      words_(words),
      builder_(builder),
      addresses_(words, builder),
      disguises_(builder),
      received_(builder) {}

void HeaderTokens::Add(const MessageHead& head, const Senders& senders) {
  received_count_ = 0;
  has_subject_ = false;
  from_domain_ = DomainOf(senders.from);
  reply_domain_ = DomainOf(senders.reply_to);
  id_domain_.clear();
  last_name_.clear();
  for (const HeaderField& field : head.fields) {
    if (field.name.empty()) {
      builder_->Add("header:", "not-a-header");
    } else if (AsciiPrefix(field.name) < field.name.size()) {
      builder_->Add("header:", "8-bit-name");
    } else {
      AddField(field.name, Trim(field.value));
    }
  }
  if (head.is_cut) builder_->Add("header:", "cut");
  builder_->Add("received:count:", Bucket(received_count_).Text());
  AddRelations();
}

void HeaderTokens::AddField(std::string_view name, std::string_view value) {
  // As written: "Message-Id" and "Message-ID" come from different programs.
  builder_->Add("header:name:", name);
  if (name != last_name_) builder_->Add("header:order:", last_name_, ">", name);
  last_name_ = name;
  name_.clear();
  AppendLowerAscii(name, &name_);
  switch (KindOf(name_)) {
    case HeaderKind::kSubject:
      // Programs show the first one.
      if (std::exchange(has_subject_, true)) return builder_->Add("header:again:", name);
      return AddSubject(value);
    case HeaderKind::kAddresses:
      return AddAddresses(name_, value);
    case HeaderKind::kReceived:
      if (++received_count_ <= kMaxReceived) received_.Add(value);
      return;
    case HeaderKind::kMessageId:
      return AddMessageId(value);
    case HeaderKind::kDate:
      return AddDate(value);
    case HeaderKind::kMailer:
      return AddMailer(value);
    case HeaderKind::kContentType:
      return AddContentType(value);
    case HeaderKind::kIds:
      return AddCount(name_, value);
    case HeaderKind::kSignature:
      if (!options_->authentication) AddOther(name_, WithoutSignature(value));
      return;
    case HeaderKind::kResults:
      if (!options_->authentication) AddOther(name_, value);
      return;
    case HeaderKind::kNameOnly:
      return;
    case HeaderKind::kOther:
      return AddOther(name_, value);
  }
}

void HeaderTokens::AddSubject(std::string_view value) {
  const std::string_view text = charset_->DecodeHeader(value);
  if (options_->disguises) disguises_.Add("subject:", text);
  if (options_->word_pairs) {
    words_->AddWithPairs("subject:", text);
  } else {
    words_->Add("subject:", text);
  }
  const auto capitals = std::count_if(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  const auto small = std::count_if(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (capitals > small) builder_->Add("subject:", "shape:capitals");
  if (AsciiPrefix(value) < value.size()) builder_->Add("subject:", "shape:8-bit");
  if (value.find("=?") != std::string_view::npos) builder_->Add("subject:", "shape:encoded");
  if (text.find("   ") != std::string_view::npos) builder_->Add("subject:", "shape:gap");
  builder_->Add("subject:length:", Bucket(text.size()).Text());
}

void HeaderTokens::AddAddresses(std::string_view name, std::string_view value) {
  const std::string_view text = charset_->DecodeHeader(value);
  if (options_->disguises && name == "from") disguises_.Add("from:", text);
  addresses_.Add(name, text);
}

void HeaderTokens::AddMessageId(std::string_view value) {
  const size_t at = value.rfind('@');
  ShapeOf(value.substr(0, at), &scratch_);
  builder_->Add("message-id:shape:", scratch_);
  if (at == std::string_view::npos) return;
  id_domain_ = AsciiDomain(LowerAscii(value.substr(at + 1, value.find('>', at) - at - 1)));
  AddDomain("message-id:domain:", Printable(id_domain_, &scratch_), builder_);
}

void HeaderTokens::AddDate(std::string_view value) {
  ShapeOf(value, &scratch_);
  builder_->Add("date:shape:", scratch_);
  if (const size_t sign = value.find_last_of("+-"); sign != std::string_view::npos) {
    const std::string_view zone = value.substr(sign, 5);
    if (zone.size() == 5 && AllDigits(zone.substr(1))) builder_->Add("date:zone:", zone);
  }
  if (const size_t colon = value.find(':'); colon != std::string_view::npos && colon >= 2) {
    const std::string_view hour = value.substr(colon - 2, 2);
    if (AllDigits(hour)) builder_->Add("date:hour:", hour);
  }
}

void HeaderTokens::AddMailer(std::string_view value) {
  const std::string_view text = charset_->DecodeHeader(value);
  builder_->Add("mailer:", Printable(text, &scratch_));
  words_->Add("mailer:word:", text);
}

void HeaderTokens::AddContentType(std::string_view value) {
  scratch_.clear();
  AppendLowerAscii(value, &scratch_);
  if (const std::string_view boundary = Parameter(scratch_, "boundary"); !boundary.empty()) {
    const auto offset = static_cast<size_t>(boundary.data() - scratch_.data());
    ShapeOf(value.substr(offset, boundary.size()), &prefix_);
    builder_->Add("content-type:boundary:", prefix_);
  }
  ShapeOf(value.substr(0, value.find("boundary")), &prefix_);
  builder_->Add("content-type:shape:", prefix_);
}

void HeaderTokens::AddCount(std::string_view name, std::string_view value) {
  const auto ids = static_cast<size_t>(std::count(value.begin(), value.end(), '@'));
  builder_->Add(name, ":count:", Bucket(ids).Text());
}

void HeaderTokens::AddOther(std::string_view name, std::string_view value) {
  prefix_.assign("header:").append(name).append(":");
  words_->Add(prefix_, charset_->DecodeHeader(value.substr(0, kMaxOtherBytes)));
}

void HeaderTokens::AddRelations() {
  if (from_domain_.empty()) builder_->Add("from:", "none");
  if (!reply_domain_.empty()) {
    builder_->Add("reply-to:", reply_domain_ == from_domain_ ? "from-domain" : "other-domain");
  }
  if (id_domain_.empty()) {
    builder_->Add("message-id:", "no-domain");
  } else {
    builder_->Add("message-id:", id_domain_ == from_domain_ ? "from-domain" : "other-domain");
  }
}

}  // namespace thresher::tokenizer
