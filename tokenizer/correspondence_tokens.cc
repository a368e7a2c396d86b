#include "tokenizer/correspondence_tokens.h"

#include "tokenizer/ascii.h"
#include "tokenizer/mail_address.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kQuoteBytes = 4096;

std::string_view LastLabel(std::string_view domain) { return domain.substr(domain.rfind('.') + 1); }

std::string_view Value(const MessageHead& head, std::string_view name) {
  for (const HeaderField& field : head.fields) {
    if (EqualsIgnoringCase(field.name, name)) return Trim(field.value);
  }
  return {};
}

}  // namespace

void CorrespondenceTokens::Add(const MessageHead& head, const Senders& senders) {
  from_ = senders.from;
  to_ = AddressIn(head, "to");
  AddFrom(Value(head, "from"));
  if (const std::string& reply = senders.reply_to; !reply.empty()) {
    builder_->Add("sender:reply-to:", reply == from_ ? "same-address" : "other-address");
    builder_->Add("sender:reply-to:tld:", LastLabel(DomainOf(reply)));
  }
  if (const std::string path = AddressIn(head, "return-path"); !path.empty()) {
    builder_->Add("sender:return-path:",
                  AreAligned(DomainOf(path), DomainOf(from_)) ? "from-domain" : "other-domain");
  }
  if (!to_.empty() && to_ == from_) builder_->Add("sender:", "writes-to-itself");
  const bool answers = !Value(head, "in-reply-to").empty() || !Value(head, "references").empty();
  AddSubject(charset_->DecodeHeader(Value(head, "subject")), answers);
  const std::string_view start = head.body.substr(0, kQuoteBytes);
  const bool quotes = start.starts_with("> ") || start.find("\n> ") != std::string_view::npos;
  builder_->Add("reply:", answers ? "answers" : "begins", quotes ? ",quotes" : "");
}

// In "sender:name:" every token has a hyphen, which the words of a Sender header never have.
void CorrespondenceTokens::AddFrom(std::string_view value) {
  if (from_.empty()) return;
  builder_->Add("sender:tld:", LastLabel(DomainOf(from_)));
  // Signs in what is encoded are text.
  const size_t bracket = BracketOfFirst(value);
  const std::string_view name =
      bracket == std::string_view::npos ? "" : Trim(charset_->DecodeHeader(value.substr(0, bracket)));
  if (name.empty()) {
    builder_->Add("sender:name:", "is-missing");
    return;
  }
  const std::string shown = AddressInName(name);
  if (!shown.empty()) builder_->Add("sender:name:", shown == from_ ? "is-address" : "is-other-address");
  const std::string lower = LowerAscii(name);
  // Whether a word of the name occurs in the address, as in "Joe Doe <joe.d@example.com>".
  bool fits = false;
  for (size_t i = 0; i < lower.size() && !fits;) {
    while (i < lower.size() && !IsAsciiWordByte(lower[i])) ++i;
    const size_t begin = i;
    while (i < lower.size() && IsAsciiWordByte(lower[i])) ++i;
    fits = i - begin >= 3 && from_.find(lower.substr(begin, i - begin)) != std::string::npos;
  }
  builder_->Add("sender:name:", fits ? "fits-address" : "fits-no-address");
}

void CorrespondenceTokens::AddSubject(std::string_view text, bool answers) {
  text = Trim(text);
  const bool says_reply = StartsWithIgnoringCase(text, "re:") || StartsWithIgnoringCase(text, "aw:") ||
                          StartsWithIgnoringCase(text, "fw:") || StartsWithIgnoringCase(text, "fwd:");
  if (says_reply) builder_->Add("reply:subject:", answers ? "answers" : "answers-nothing");
  if (text.find('@') != std::string_view::npos) builder_->Add("sender:subject:", "has-address");
  const std::string_view recipient = std::string_view(to_).substr(0, to_.find('@'));
  if (recipient.size() >= 3 && LowerAscii(text).find(recipient) != std::string::npos)
    builder_->Add("sender:subject:", "has-recipient");
}

}  // namespace thresher::tokenizer
