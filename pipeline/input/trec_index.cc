#include "pipeline/input/trec_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "pipeline/input/byte_order_mark.h"
#include "pipeline/input/file_reader.h"
#include "pipeline/input/take_word.h"
#include "pipeline/input/whole_line.h"

namespace thresher::pipeline {
namespace {

constexpr size_t kLongestEntry = size_t{64} << 10;

struct Judge {
  std::string_view word;
  bool is_spam;
  bool classify;
  bool train;
};
constexpr Judge kJudges[] = {
    {"ham", false, true, true},  {"spam", true, true, true},  {"Ham", false, true, false},
    {"Spam", true, true, false}, {"HAM", false, false, true}, {"SPAM", true, false, true},
};

const Judge* FindJudge(std::string_view word) {
  const auto* const found =
      std::find_if(std::begin(kJudges), std::end(kJudges), [&](const Judge& j) { return j.word == word; });
  return found == std::end(kJudges) ? nullptr : found;
}

std::string OrNone(std::string_view column) { return std::string(column == "-" ? "" : column); }

// Sets *entry, or returns what is wrong with the line.
std::optional<std::string> Parse(std::string_view line, TrecEntry* entry) {
  if (line.find('\r') < line.find_last_not_of(kBlanks))
    return "a CR within the line: lines end with LF or CR LF";
  const std::string_view word = TakeWord(&line);
  const std::string_view path = TakeWord(&line);
  const Judge* const judge = FindJudge(word);
  if (judge == nullptr) return "expected ham, spam, Ham, Spam, HAM or SPAM at the start of the line";
  if (path.empty()) return "expected a path after the judgement";
  if (path.find('\0') != std::string_view::npos) return "the path contains a NUL byte";
  const std::string_view user = TakeWord(&line);
  const std::string_view genre = TakeWord(&line);
  if (!TakeWord(&line).empty()) return "expected a judgement, a path, a user and a genre, found a fifth word";
  *entry = {judge->is_spam, judge->classify,   judge->train,
            judge->is_spam, std::string(path), 0,
            OrNone(user),   OrNone(genre),     0};
  return std::nullopt;
}

}  // namespace

bool BeginsTrecIndex(std::string_view line) {
  line = AfterByteOrderMark(line);
  return FindJudge(TakeWord(&line)) != nullptr;
}

void NoteAnswers(std::vector<TrecEntry>* entries) {
  std::map<std::pair<std::string_view, std::string_view>, size_t> classified;  // lines, by user and path
  for (TrecEntry& entry : *entries) {
    size_t& last = classified[{entry.user, entry.path}];
    if (entry.classify) {
      last = entry.line;
    } else if (entry.train) {
      entry.answers = last;
    }
  }
}

Result<TrecIndex> ReadTrecIndex(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) {
    return tl::unexpected(
        Error{kNoInput,
              fmt::format("{}: is a folder; name an index file, such as full/index in a TREC corpus", path)});
  }
  Result<std::unique_ptr<ByteStream>> stream = OpenStream(path);
  if (!stream) return tl::unexpected(stream.error());
  LineReader lines(std::move(*stream));
  TrecIndex index;
  index.path = path;
  index.folder = path.substr(0, path.rfind('/') + 1);
  std::string line;
  for (size_t number = 1;; ++number) {
    const auto read = NextLine(&lines, &line, kLongestEntry);
    if (!read) return tl::unexpected(read.error());
    if (*read == LineRead::kEnd) break;
    const bool is_whole = *read == LineRead::kLine;
    const std::string_view text = number == 1 ? AfterByteOrderMark(line) : line;
    if (is_whole && text.find_first_not_of(kBlanks) == std::string_view::npos) continue;
    TrecEntry entry;
    const std::optional<std::string> wrong = is_whole ? Parse(text, &entry) : "the line is too long";
    if (wrong) return tl::unexpected(Error{kData, fmt::format("{}:{}: {}", path, number, *wrong)});
    entry.line = number;
    index.entries.push_back(std::move(entry));
  }
  NoteAnswers(&index.entries);
  return index;
}

Result<void> CheckAnyReadable(const TrecIndex& index) {
  std::string bytes;
  std::optional<Error> first;
  for (const TrecEntry& entry : index.entries) {
    // A pipe would wait for its writer, and what is read here would be missing later.
    std::error_code ignored;
    if (std::filesystem::is_fifo(index.FileOf(entry), ignored)) return {};
    auto read = ReadFile(index.FileOf(entry), &bytes, 1);
    if (read) return {};
    if (!first) first = Error{kNoInput, fmt::format("line {}: {}", entry.line, read.error().message)};
  }
  if (!first) return {};
  return tl::unexpected(
      Error{kNoInput, fmt::format("{}: none of its {} messages can be read; the first is {}", index.path,
                                  index.entries.size(), first->message)});
}

}  // namespace thresher::pipeline
