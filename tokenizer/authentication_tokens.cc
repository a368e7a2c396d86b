#include "tokenizer/authentication_tokens.h"

#include <algorithm>
#include <optional>

#include "tokenizer/ascii.h"
#include "tokenizer/domain_tokens.h"
#include "tokenizer/mail_address.h"
#include "tokenizer/plain_value.h"
#include "tokenizer/shape.h"
#include "tokenizer/urls.h"

namespace thresher::tokenizer {
namespace {

constexpr size_t kFieldBytes = 4096;
constexpr size_t kMaxSignatures = 4;
constexpr size_t kMaxResultParts = 13;  // the server's name, and results
constexpr size_t kMaxLinks = 4;

bool IsKeywordByte(char c) { return IsAsciiWordByte(c) || c == '-' || c == '_' || c == '.'; }

// Takes the word at the start of *text off.
std::string_view TakeWord(std::string_view* text) {
  size_t end = 0;
  while (end < text->size() && IsKeywordByte((*text)[end])) ++end;
  const std::string_view word = text->substr(0, end);
  text->remove_prefix(end);
  return word;
}

// The word at the start of a value. An address stands for its domain.
std::string_view FirstWordOf(std::string_view value) {
  value = Trim(value);
  value = value.substr(0, value.find_first_of("; \t\r\n\"()"));
  if (const size_t sign = value.rfind('@'); sign != std::string_view::npos) value.remove_prefix(sign + 1);
  return TakeWord(&value);
}

// What follows NAME and "=" in `text`, if they are at its start.
std::optional<std::string_view> AfterName(std::string_view text, std::string_view name) {
  if (!text.starts_with(name)) return std::nullopt;
  text = Trim(text.substr(name.size()));
  if (!text.starts_with('=')) return std::nullopt;
  return text.substr(1);
}

// The value of a property in one result; empty if there is none. The name stands behind white space: senders
// choose a part of what servers write into other values.
std::string_view PropertyIn(std::string_view result, std::string_view name) {
  for (size_t at = result.find(name); at != std::string_view::npos; at = result.find(name, at + 1)) {
    if (at > 0 && !IsAsciiSpace(result[at - 1])) continue;
    if (const auto value = AfterName(result.substr(at), name)) return FirstWordOf(*value);
  }
  return {};
}

// The value of a tag of a signature; empty if there is none. Other values may have white space.
std::string_view TagIn(std::string_view signature, std::string_view name) {
  while (!signature.empty()) {
    const std::string_view tag = signature.substr(0, signature.find(';'));
    if (const auto value = AfterName(Trim(tag), name)) return FirstWordOf(*value);
    signature.remove_prefix(std::min(tag.size() + 1, signature.size()));
  }
  return {};
}

}  // namespace

void AuthenticationTokens::Add(const MessageHead& head, const Senders& senders) {
  from_ = DomainOf(senders.from);
  size_t signatures = 0;
  bool has_results = false;
  bool has_arc_results = false;
  bool has_seal = false;
  bool has_spf = false;
  for (const HeaderField& field : head.fields) {
    const auto has_name = [&](std::string_view name) { return EqualsIgnoringCase(field.name, name); };
    const auto value = [&] {
      lower_.clear();
      AppendLowerAscii(field.value.substr(0, kFieldBytes), &lower_);
      return Trim(lower_);
    };
    // Servers write these headers above the ones they find: the first is that of the reader's own server.
    if (!has_results && has_name("authentication-results")) {
      has_results = true;
      AddResults("auth:", PlainValue(field.value.substr(0, kFieldBytes)));
    } else if (!has_arc_results && has_name("arc-authentication-results")) {
      has_arc_results = true;
      AddResults("auth:arc-", PlainValue(field.value.substr(0, kFieldBytes)));
    } else if (!has_seal && has_name("arc-seal")) {
      // The newest. A number i= that is higher in one below is forged, or the chain is broken.
      has_seal = true;
      AddValue("auth:arc-seal:", TagIn(value(), "cv"));
    } else if (!has_spf && has_name("received-spf")) {
      has_spf = true;
      std::string_view rest = value();
      AddValue("auth:received-spf:", TakeWord(&rest));
    } else if (has_name("dkim-signature") && ++signatures <= kMaxSignatures) {
      AddSignature(value());
    } else if (has_name("list-unsubscribe")) {
      AddUnsubscribe(value());
    }
  }
  if (signatures > 0) builder_->Add("auth:signatures:", Bucket(signatures).Text());
}

void AuthenticationTokens::AddValue(std::string_view field, std::string_view value) {
  if (!value.empty()) builder_->Add(field, value);
}

void AuthenticationTokens::AddAlignment(std::string_view field, std::string_view domain) {
  if (!domain.empty()) builder_->Add(field, AreAligned(domain, from_) ? ":from-domain" : ":other-domain");
}

// "server.example; spf=pass smtp.mailfrom=a.example; dkim=pass header.d=b.example; dmarc=fail …". Microsoft's
// servers write no name of theirs. In a header of ARC, its number ("i=1;") comes first.
void AuthenticationTokens::AddResults(std::string_view field, std::string_view value) {
  for (size_t parts = 0; parts < kMaxResultParts && !value.empty(); ++parts) {
    const std::string_view part = value.substr(0, value.find(';'));
    value.remove_prefix(std::min(part.size() + 1, value.size()));
    std::string_view rest = Trim(part);
    const std::string_view method = TakeWord(&rest);
    const bool is_number = parts == 0 && method == "i";
    if (method.empty() || is_number || !rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    const std::string_view outcome = TakeWord(&rest);
    if (!outcome.empty()) builder_->Add(field, method, ":", outcome);
    if (outcome != "pass") continue;
    lower_field_.assign(field).append(method);
    const std::string_view domain = method == "dkim"  ? PropertyIn(rest, "header.d")
                                    : method == "spf" ? PropertyIn(rest, "smtp.mailfrom")
                                                      : std::string_view();
    AddAlignment(lower_field_, domain.empty() && method == "dkim" ? PropertyIn(rest, "header.i") : domain);
  }
}

void AuthenticationTokens::AddSignature(std::string_view value) {
  const std::string_view domain = TagIn(value, "d");
  if (!domain.empty()) AddDomain("auth:signer:", domain, builder_);
  AddValue("auth:selector:", TagIn(value, "s"));
  AddValue("auth:algorithm:", TagIn(value, "a"));
  AddAlignment("auth:signer", domain);
}

void AuthenticationTokens::AddUnsubscribe(std::string_view value) {
  size_t links = 0;
  ForEachUrl(value, [&](const Url& url, std::string_view) {
    if (++links > kMaxLinks) return;
    AddDomain("auth:unsubscribe:", url.host, builder_);
    AddAlignment("auth:unsubscribe", url.host);
  });
}

}  // namespace thresher::tokenizer
