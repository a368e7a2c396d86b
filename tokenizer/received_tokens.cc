#include "tokenizer/received_tokens.h"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tokenizer/ascii.h"
#include "tokenizer/domain_tokens.h"

namespace thresher::tokenizer {
namespace {

bool InWord(char c) { return IsAsciiWordByte(c) || c == '.' || c == '-' || c == '_'; }

// Whether `word` is four numbers below 256, separated by dots.
bool IsIpAddress(std::string_view word) {
  int dots = 0;
  int digits = 0;
  int number = 0;
  for (const char c : word) {
    if (c == '.') {
      if (digits == 0 || ++dots > 3) return false;
      digits = number = 0;
    } else if (IsAsciiDigit(c)) {
      number = 10 * number + (c - '0');
      if (++digits > 3 || number > 255) return false;
    } else {
      return false;
    }
  }
  return dots == 3 && digits > 0;
}

void AddIpAddress(std::string_view address, FeatureBuilder* builder) {
  for (int bytes = 4; bytes >= 2; --bytes) {
    builder->Add("received:ip:", address);
    address = address.substr(0, address.rfind('.'));
  }
}

using Ipv6Address = std::array<uint8_t, 16>;

// The address that `text` is, in any notation of RFC 4291 without a zone; nothing if it is none.
std::optional<Ipv6Address> ParseIpv6Address(std::string_view text) {
  std::array<char, INET6_ADDRSTRLEN> copy{};
  if (text.size() >= copy.size()) return std::nullopt;
  std::copy(text.begin(), text.end(), copy.begin());
  Ipv6Address address{};
  if (inet_pton(AF_INET6, copy.data(), address.data()) != 1) return std::nullopt;
  return address;
}

// "192.0.2.7" if the address is of that kind, written as the other ("::ffff:192.0.2.7").
std::string MappedIpv4(const Ipv6Address& address) {
  constexpr std::array<uint8_t, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
  std::string dotted;
  if (!std::ranges::equal(std::span(address).first<12>(), kMapped)) return dotted;
  for (size_t i = kMapped.size(); i < address.size(); ++i)
    dotted.append(dotted.empty() ? "" : ".").append(std::to_string(address[i]));
  return dotted;
}

// All its groups, whatever notation was used, and those of its /64 and its /48 network.
void AddIpv6Address(const Ipv6Address& address, FeatureBuilder* builder) {
  if (const std::string ipv4 = MappedIpv4(address); !ipv4.empty()) return AddIpAddress(ipv4, builder);
  std::string groups;
  for (size_t i = 0; i < address.size(); i += 2) {
    if (i == 6 || i == 8) builder->Add("received:ip:", groups);
    if (i > 0) groups += ':';
    std::array<char, 4> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), address[i] << 8 | address[i + 1], 16);
    groups.append(digits.data(), end.ptr);
  }
  builder->Add("received:ip:", groups);
}

}  // namespace

void ReceivedTokens::Add(std::string_view value) {
  lower_.clear();
  // A date follows the last semicolon.
  AppendLowerAscii(value.substr(0, value.rfind(';')), &lower_);
  const std::string_view text = lower_;
  for (size_t begin = 0; begin < text.size(); ++begin) {
    size_t end = begin;
    while (end < text.size() && InWord(text[end])) ++end;
    const bool may_be_ipv6 = end < text.size() && text[end] == ':' && (begin == 0 || text[begin - 1] != ':');
    if (const size_t size = may_be_ipv6 ? TakeIpv6Address(text.substr(begin)) : 0; size > 0) {
      begin += size;
      continue;
    }
    if (end > begin) AddWord(text.substr(begin, end - begin));
    begin = end;
  }
}

// "[2001:db8::1]", "IPv6:2001:db8::1": returns the size of what begins `text`, where a word may begin; 0 if
// it is no address.
size_t ReceivedTokens::TakeIpv6Address(std::string_view text) {
  constexpr std::string_view kTag = "ipv6:";
  const size_t tag = text.starts_with(kTag) ? kTag.size() : 0;
  text = text.substr(tag, INET6_ADDRSTRLEN);
  const auto* const end = std::ranges::find_if_not(text, [](char c) { return InWord(c) || c == ':'; });
  const std::string_view word = text.substr(0, static_cast<size_t>(end - text.begin()));
  if (std::ranges::count(word, ':') < 2) return 0;
  const std::optional<Ipv6Address> address = ParseIpv6Address(word);
  if (!address) return 0;
  AddIpv6Address(*address, builder_);
  return tag + word.size();
}

void ReceivedTokens::AddWord(std::string_view word) {
  while (word.starts_with('.')) word.remove_prefix(1);
  while (word.ends_with('.')) word.remove_suffix(1);
  const bool letters = std::any_of(word.begin(), word.end(), IsAsciiLetter);
  if (word.find('.') != std::string_view::npos) {
    if (letters) {
      AddDomain("received:host:", word, builder_);
    } else if (IsIpAddress(word)) {
      AddIpAddress(word, builder_);
    }
  } else if (letters && std::none_of(word.begin(), word.end(), IsAsciiDigit)) {
    // Words with digits are queue ids.
    builder_->Add("received:word:", word);
  }
}

}  // namespace thresher::tokenizer
