#include "pipeline/delivery/reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include "pipeline/input/whole_line.h"

namespace thresher::pipeline {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr size_t kMostOfLine = size_t{64} << 10;  // a longer one is nonsense, whatever its rest

std::vector<std::string_view> WordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  for (size_t at = line.find_first_not_of(kBlank); at < line.size();
       at = line.find_first_not_of(kBlank, at)) {
    const size_t close = line[at] == '<' ? line.find('>', at) : std::string_view::npos;
    const size_t end =
        std::min(line.find_first_of(kBlank, close == std::string_view::npos ? at : close), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// The byte of "\\xHH" at the start of `text`; -1 if there is none.
int EscapedByte(std::string_view text) {
  if (!text.starts_with("\\x") || text.size() < 4) return -1;
  uint8_t byte = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + 4, byte, 16);
  return error == std::errc() && end == text.data() + 4 ? byte : -1;
}

Result<Reply> Parse(const std::vector<std::string_view>& words) {
  const bool is_spam = words[0] == "spam";
  if ((!is_spam && words[0] != "ham") || words.size() < 2 || words.size() > 3)
    return tl::unexpected(Error{kData, "expected `spam` or `ham`, a Message-ID, and perhaps its key"});
  return Reply{is_spam ? Label::kSpam : Label::kHam, ListedMessageId(words[1]),
               std::string(words.size() == 3 ? words[2] : "")};
}

}  // namespace

Result<tokenizer::MessageKey> OneKey(std::vector<tokenizer::MessageKey> keys, std::string_view message_id,
                                     std::string_view digest, std::string_view none) {
  if (!digest.empty())
    std::erase_if(keys, [&](const tokenizer::MessageKey& key) { return key.digest != digest; });
  if (keys.size() == 1) return std::move(keys.front());
  if (keys.empty()) {
    return tl::unexpected(Error{kNoInput, fmt::format("no message with id <{}>{}{} {}", message_id,
                                                      digest.empty() ? "" : " and key ", digest, none)});
  }
  std::string digests;
  for (const tokenizer::MessageKey& key : keys) digests += " " + key.digest;
  return tl::unexpected(Error{
      kData, fmt::format("{} different messages have the id <{}>; name one by its key, which its X-Thresher "
                         "header tells:{}",
                         keys.size(), message_id, digests)});
}

std::string ForWhom(std::string_view user) {
  return user.empty() ? "without a user" : fmt::format("for {}", user);
}

std::string NameItsUser(std::string_view user) {
  return fmt::format("if it is {} user's, name them by --user", user.empty() ? "a" : "another");
}

Result<void> ForEachLine(const std::string& path, const OnWords& visit) {
  auto stream = OpenStream(path);
  if (!stream) return tl::unexpected(stream.error());
  LineReader lines(*std::move(stream));
  std::string line;
  for (size_t number = 1;; ++number) {
    const auto read = NextLine(&lines, &line, kMostOfLine);
    if (!read) return tl::unexpected(read.error());
    if (*read == LineRead::kEnd) return {};
    const std::vector<std::string_view> words = WordsOf(line);
    if (words.empty()) continue;
    if (auto visited = visit(words, number); !visited) return visited;
  }
}

std::string ListedMessageId(std::string_view word) {
  if (const size_t open = word.find('<'); open != std::string_view::npos) {
    word.remove_prefix(open + 1);
    word = word.substr(0, word.find('>'));
  }
  std::string id;
  while (!word.empty()) {
    const int escaped = EscapedByte(word);
    id += escaped < 0 ? word.front() : static_cast<char>(escaped);
    word.remove_prefix(escaped < 0 ? 1 : 4);
  }
  return tokenizer::CleanBareMessageId(id);
}

Result<void> ForEachReply(const std::string& path,
                          const std::function<Result<void>(const Result<Reply>&, size_t)>& visit) {
  return ForEachLine(path, [&](const std::vector<std::string_view>& words, size_t number) {
    return visit(Parse(words), number);
  });
}

}  // namespace thresher::pipeline
