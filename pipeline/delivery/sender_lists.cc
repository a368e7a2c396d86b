#include "pipeline/delivery/sender_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <vector>

#include "pipeline/delivery/sender_proof.h"
#include "pipeline/input/byte_order_mark.h"
#include "tokenizer/ascii.h"
#include "tokenizer/mail_address.h"

namespace thresher::pipeline {
namespace {

using tokenizer::HeaderField;

constexpr size_t kHeadBytes = size_t{64} << 10;
constexpr size_t kLongestDomain = 255;
constexpr size_t kMostValues = 8;
constexpr size_t kMostAddresses = 100;                                      // of senders; mail has one
constexpr std::string_view kListKinds[] = {"sender", "domain", "list-id"};  // by Kind
constexpr std::string_view kExpected =
    "expected allow or block, then sender, domain or list-id, then an address or name";
constexpr std::string_view kNoPattern =
    "expected a name without *: an entry for a domain is for all addresses in it and all domains below it";

std::string_view TakeListWord(std::string_view* line) {
  *line = tokenizer::Trim(*line);
  const size_t size = std::min(line->find_first_of(" \t"), line->size());
  const std::string_view word = line->substr(0, size);
  line->remove_prefix(size);
  return word;
}

// "News of us <news.example.org>"
std::string ListIdIn(std::string_view value) {
  if (const size_t open = value.rfind('<'); open != std::string_view::npos) {
    value.remove_prefix(open + 1);
    value = value.substr(0, value.find('>'));
  }
  return tokenizer::LowerAscii(tokenizer::Trim(value).substr(0, SenderLists::kMostEntry));
}

// As FirstAddress gives addresses of senders, so that the entry can be one of them: without angle brackets,
// encoded. Empty if no sender's address is like that.
std::string ListedAddress(std::string_view word) {
  constexpr std::string_view kNotInOne = ",:;()[]\\";
  std::string address = tokenizer::FirstAddress(word);
  const bool is_one = word.find_first_of(kNotInOne) == std::string_view::npos &&
                      std::ranges::count(word, '@') == 1 && !address.starts_with('@');
  const std::string_view domain = tokenizer::DomainOf(address);
  const bool is_domain = domain.find('/') == std::string_view::npos && !domain.starts_with('.') &&
                         domain.find("..") == std::string_view::npos;
  return is_one && is_domain ? address : std::string();
}

// The same of a domain. Other filters write ".example.org" for all that is below one.
std::string ListedDomain(std::string_view word) {
  if (word.starts_with('.')) word.remove_prefix(1);
  const bool has_bracket = word.find_first_of("<>\"'") != std::string_view::npos;
  const std::string address = has_bracket ? std::string() : ListedAddress(fmt::format("x@{}", word));
  return std::string(tokenizer::DomainOf(address));
}

// The first ones: mail has one of each.
std::vector<std::string_view> ValuesOf(const tokenizer::MessageHead& head, std::string_view name) {
  std::vector<std::string_view> values;
  for (const HeaderField& field : head.fields) {
    if (values.size() < kMostValues && tokenizer::EqualsIgnoringCase(field.name, name))
      values.push_back(field.value);
  }
  return values;
}

// A comma within quotes, a comment or a route parts one address more, which can only block.
std::vector<std::string> AddressesIn(const std::vector<std::string_view>& senders) {
  std::vector<std::string> addresses;
  for (std::string_view value : senders) {
    addresses.push_back(tokenizer::FirstAddress(value));
    while (!value.empty() && addresses.size() < kMostAddresses) {
      const size_t size = std::min(value.find(','), value.size());
      addresses.push_back(tokenizer::FirstAddress(value.substr(0, size)));
      value.remove_prefix(std::min(size + 1, value.size()));
    }
  }
  return addresses;
}

}  // namespace

Result<SenderLists> SenderLists::Parse(std::string_view text, std::string_view name) {
  SenderLists lists;
  text = AfterByteOrderMark(text);
  for (size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view wrong = lists.AddLine(tokenizer::Trim(line.substr(0, line.find('#'))));
    if (!wrong.empty()) return tl::unexpected(Error{kConfig, fmt::format("{}:{}: {}", name, number, wrong)});
  }
  return lists;
}

SenderLists::Kind SenderLists::KindOf(std::string_view word) {
  const auto found = std::ranges::find(kListKinds, word);
  return static_cast<Kind>(found - std::begin(kListKinds));
}

// What is wrong with the line; empty if nothing is.
std::string_view SenderLists::AddLine(std::string_view line) {
  if (line.empty()) return {};
  const std::string_view action = TakeListWord(&line);
  const Kind kind = KindOf(TakeListWord(&line));
  const std::string_view word = TakeListWord(&line);
  if ((action != "allow" && action != "block") || kind == kKinds || word.empty() || !line.empty())
    return kExpected;
  if (word.size() > kMostEntry) return "the name is too long";
  if (word.find('*') != std::string_view::npos) return kNoPattern;
  if ((word.find('@') != std::string_view::npos) != (kind == kSender))
    return kind == kSender ? "expected an address" : "expected a name without @";
  const std::string entry = kind == kSender   ? ListedAddress(word)
                            : kind == kDomain ? ListedDomain(word)
                                              : ListIdIn(word);
  // What no mail can have would be there in vain.
  if (entry.empty()) return kind == kSender ? "expected an address" : "expected a name as mail has it";
  const Action listed = action == "allow" ? Action::kAllow : Action::kBlock;
  const auto [place, is_new] = entries_[kind].emplace(entry, listed);
  return is_new || place->second == listed ? "" : "the same is allowed and blocked";
}

Result<SenderLists> SenderLists::Load(const Settings& settings) {
  const std::string& path = settings.lists.file;
  if (path.empty()) return SenderLists();
  std::error_code missing;
  if (std::filesystem::exists(path, missing) && !std::filesystem::is_regular_file(path, missing))
    return tl::unexpected(Error{kConfig, fmt::format("{}: expected a regular file (lists.file)", path)});
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostBytes + 1, '\0');
  if (file) file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file.is_open() || file.bad() || (file.fail() && !file.eof()))
    return tl::unexpected(Error{kConfig, fmt::format("{}: cannot be read (lists.file)", path)});
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMostBytes)
    return tl::unexpected(Error{kConfig, fmt::format("{}: has more than {} bytes", path, kMostBytes)});
  return Parse(text, path);
}

std::optional<SenderLists::Decision> SenderLists::Decide(std::string_view message,
                                                         std::string_view authserv_id) const {
  if (size() == 0) return std::nullopt;
  tokenizer::MessageHead head;
  tokenizer::ParseHead(message, kHeadBytes, &head);
  const Found found = Find(head, authserv_id);
  if (found.action == Action::kNone) return std::nullopt;
  const bool allows = found.action == Action::kAllow;
  return Decision{.verdict = allows ? Verdict::kHam : Verdict::kSpam,
                  .entry = fmt::format("{}:{}", allows ? "allow" : "block", kListKinds[found.kind])};
}

size_t SenderLists::size() const {
  return entries_[kSender].size() + entries_[kDomain].size() + entries_[kListId].size();
}

SenderLists::Action SenderLists::Entry(Kind kind, std::string_view name) const {
  const auto found = entries_[kind].find(std::string(name));
  return found == entries_[kind].end() ? Action::kNone : found->second;
}

SenderLists::Found SenderLists::FindSender(std::string_view address,
                                           const std::function<bool(Action)>& counts) const {
  if (const Action action = Entry(kSender, address); counts(action)) return {action, kSender};
  std::string_view domain = tokenizer::DomainOf(address);
  domain.remove_prefix(domain.size() - std::min(domain.size(), kLongestDomain));
  while (!domain.empty()) {
    if (const Action action = Entry(kDomain, domain); counts(action)) return {action, kDomain};
    domain.remove_prefix(std::min(domain.find('.'), domain.size() - 1) + 1);
  }
  return {};
}

SenderLists::Found SenderLists::Find(const tokenizer::MessageHead& head, std::string_view authserv_id) const {
  const std::vector<std::string_view> senders = ValuesOf(head, "from");
  const bool is_one = senders.size() == 1 && std::ranges::count(senders.front(), '@') == 1;
  const auto counts = [&](Action action, std::string_view domain) {
    return action == Action::kBlock || (action == Action::kAllow && is_one &&
                                        (authserv_id.empty() || IsProven(head, authserv_id, domain)));
  };
  for (const std::string& address : AddressesIn(senders)) {
    const Found found =
        FindSender(address, [&](Action action) { return counts(action, tokenizer::DomainOf(address)); });
    if (found.action != Action::kNone) return found;
  }
  for (const std::string_view value : ValuesOf(head, "list-id")) {
    const std::string id = ListIdIn(value);
    if (const Action action = Entry(kListId, id); counts(action, id)) return {action, kListId};
  }
  return {};
}

}  // namespace thresher::pipeline
