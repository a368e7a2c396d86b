#include "tokenizer/address_tokens.h"

#include <algorithm>

#include "tokenizer/ascii.h"
#include "tokenizer/domain_tokens.h"
#include "tokenizer/mail_address.h"
#include "tokenizer/shape.h"

namespace thresher::tokenizer {
namespace {

// Of a longer list only the length becomes a token.
constexpr size_t kMaxAddresses = 16;

constexpr ByteSet kNotInLocalPart("<>()[],;:\"\\'@\x7f");

bool InLocalPart(char c) { return c > ' ' ? !kNotInLocalPart.Has(c) : !IsAscii(c); }
bool InDomain(char c) { return IsAsciiWordByte(c) || c == '.' || c == '-' || !IsAscii(c); }

bool EndsAddress(char c) { return c == '>' || c == ','; }

std::string_view TrimDots(std::string_view domain) {
  while (domain.starts_with('.')) domain.remove_prefix(1);
  while (domain.ends_with('.')) domain.remove_suffix(1);
  return domain;
}

}  // namespace

void AddressTokens::Add(std::string_view field, std::string_view utf8) {
  lower_.clear();
  AppendLowerAscii(utf8, &lower_);
  names_.clear();
  size_t count = 0;
  size_t rest = 0;  // begin of the text that is not processed yet
  const std::string_view text = lower_;
  bool may_differ = AsciiPrefix(text) < text.size();  // from how programs show them
  for (size_t at = text.find('@'); at != std::string_view::npos; at = text.find('@', at + 1)) {
    size_t begin = at;
    while (begin > rest && InLocalPart(text[begin - 1])) --begin;
    size_t end = at + 1;
    while (end < text.size() && InDomain(text[end])) ++end;
    const std::string_view domain = TrimDots(text.substr(at + 1, end - at - 1));
    may_differ =
        may_differ || begin == at || domain.empty() || (end < text.size() && !EndsAddress(text[end]));
    if (begin == at || domain.empty()) continue;
    if (++count <= kMaxAddresses) {
      prefix_.assign(field).append(":domain:");
      builder_->Add(field, ":addr:", text.substr(begin, at - begin), "@", domain);
      AddDomain(prefix_, domain, builder_);
      names_.append(text.substr(rest, begin - rest)).append(" ");
    }
    rest = end;
  }
  if (count <= kMaxAddresses) names_.append(text.substr(rest));
  if (may_differ && AddFirst(field, text)) count = std::max<size_t>(count, 1);
  prefix_.assign(field).append(":name:");
  words_->Add(prefix_, names_);
  builder_->Add(field, ":count:", Bucket(count).Text());
}

// Adds the first address without blanks and comments, which programs do not show, and with an encoded domain,
// if it is not written so. One that is longer than a token has none: a search for it would take quadratic
// time.
bool AddressTokens::AddFirst(std::string_view field, std::string_view text) {
  const std::string first = FirstAddress(text);
  if (first.size() > FeatureBuilder::kMaxText || text.find(first) != std::string_view::npos) return false;
  prefix_.assign(field).append(":domain:");
  builder_->Add(field, ":addr:", first);
  AddDomain(prefix_, DomainOf(first), builder_);
  return true;
}

}  // namespace thresher::tokenizer
