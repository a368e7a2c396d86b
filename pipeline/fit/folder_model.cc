#include "pipeline/fit/folder_model.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "learners/batch/solver.h"
#include "pipeline/input/folder_walk.h"
#include "pipeline/input/from_line.h"
#include "pipeline/input/input_reader.h"
#include "pipeline/input/whole_line.h"
#include "tokenizer/utf8.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFormName = "thresher-folders";
constexpr int kVersion = 2;

tl::unexpected<Error> Wrong(const std::string& path, uint64_t line, std::string_view what) {
  return tl::unexpected(Error{kData, fmt::format("{}:{}: {}", path, line, what)});
}

// The digest of the lines so far and one more.
uint64_t WithLine(uint64_t digest, std::string_view line) {
  return XXH3_64bits_withSeed(line.data(), line.size(), digest);
}

std::string EndLine(uint64_t digest) { return fmt::format("end {:016x}\n", digest); }

// Whether a name can be written into a line and read back unchanged.
bool IsPlain(const std::string& name) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; };
  return tokenizer::IsValidUtf8(name) && std::none_of(name.begin(), name.end(), is_control);
}

bool IsMbox(const std::string& path) {
  auto stream = OpenStream(path);
  if (!stream) return false;
  LineReader reader(*std::move(stream));
  const auto first = reader.Next();
  return first && IsFromLine(first->bytes);
}

struct FolderNames {
  std::vector<std::string> sorted;
  std::string first_link;
  size_t links = 0;
};

// The subfolders and mboxes in `dir`; of a Maildir, its subfolders, which start with a dot.
Result<FolderNames> FoldersIn(const fs::path& dir) {
  FolderNames folders;
  std::error_code error;
  std::error_code ignored;
  const bool is_maildir = IsMaildir(dir.string());
  for (fs::directory_iterator entry(dir, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with('.') != is_maildir) continue;
    // In a folder that others can write to, a link could name any file of the user's (docs/sharing.md).
    if (entry->is_symlink(ignored)) {
      if (folders.links++ == 0) folders.first_link = entry->path().string();
      continue;
    }
    const bool is_file = !is_maildir && entry->is_regular_file(ignored);
    if (!entry->is_directory(ignored) && !(is_file && IsMbox(entry->path().string()))) continue;
    if (!IsPlain(name))
      return tl::unexpected(
          Error{kData, fmt::format("{}: the name of a folder must be UTF-8 without control characters",
                                   entry->path().string())});
    folders.sorted.push_back(name);
  }
  if (error) return tl::unexpected(Error{kNoInput, fmt::format("{}: {}", dir.string(), error.message())});
  std::sort(folders.sorted.begin(), folders.sorted.end());
  return folders;
}

// Removes the next number, with the space before it, from the front of a line; whole numbers are hexadecimal.
template <class Number>
bool TakeNumber(std::string_view* line, Number* number) {
  line->remove_prefix(std::min(line->find_first_not_of(' '), line->size()));
  const char* const begin = line->data();
  std::from_chars_result read{};
  if constexpr (std::is_integral_v<Number>) {
    read = std::from_chars(begin, begin + line->size(), *number, 16);
  } else {
    read = std::from_chars(begin, begin + line->size(), *number);
  }
  if (read.ec != std::errc()) return false;
  line->remove_prefix(static_cast<size_t>(read.ptr - begin));
  return true;
}

}  // namespace

Result<FolderExamples> LoadFolders(const std::string& dir, const Settings& settings, tokenizer::Kind kind,
                                   const std::function<void(const Error&)>& on_unreadable,
                                   const std::function<void(uint64_t)>& on_progress) {
  const auto names = FoldersIn(dir);
  if (!names) return tl::unexpected(names.error());
  InputTally tally;
  if (names->links > 0) {
    on_unreadable(LinksNotFollowed(names->first_link, names->links, "copy there what they name"));
    ++tally.unreadable;
  }
  auto store = ExampleStore::Make();
  if (!store) return tl::unexpected(store.error());
  std::vector<std::string> folders;
  tokenizer::Tokenizer tokenizer(settings.features, 0);
  tokenizer::Features features;
  RawMessage message;
  for (const std::string& name : names->sorted) {
    const std::vector<std::string> folder = {(fs::path(dir) / name).string()};
    InputReader reader({.any_bytes = kind == tokenizer::Kind::kDocument,
                        .verbose = true,
                        .otherwise = "--document takes it for a text"},
                       folder, on_unreadable);
    while (reader.Next(&message)) {
      tokenizer.Tokenize(message.bytes, kind, &features);
      const auto place = static_cast<float>(folders.size());
      if (auto added = store->Add(features.ids, features.values, place); !added)
        return tl::unexpected(added.error());
      if (on_progress) on_progress(store->size());
    }
    if (reader.tally().visited > 0) folders.push_back(name);
    tally += reader.tally();
  }
  if (folders.size() < 2)
    return tl::unexpected(Error{
        kData, fmt::format("{}: {} folder(s) with messages; expected at least two", dir, folders.size())});
  if (auto done = store->Finish(); !done) return tl::unexpected(done.error());
  return FolderExamples{*std::move(store), std::move(folders), tally};
}

void FolderModel::Write(WholeFile& file, const Settings& settings, const FolderExamples& examples,
                        std::span<const double> weights) {
  const nlohmann::ordered_json head = {{"form", kFormName},
                                       {"version", kVersion},
                                       {"tokenizer", tokenizer::kTokenizerVersion},
                                       {"features", FeatureSettingsText(settings.features)},
                                       {"folders", examples.folders}};
  uint64_t digest = 0;
  const auto write = [&](const std::string& line) {
    digest = WithLine(digest, line);
    file.Write(line);
  };
  write(head.dump() + "\n");
  const size_t folders = examples.folders.size();
  const auto ids = examples.store.ids();
  for (size_t j = 0; j < ids.size(); ++j) {
    const auto of_feature = weights.subspan(j * folders, folders);
    if (learners::batch::CountNonzeros(of_feature) == 0) continue;
    std::string line = fmt::format("{:016x}", ids[j]);
    for (const double weight : of_feature) line += fmt::format(" {}", static_cast<float>(weight));
    write(line + "\n");
  }
  file.Write(EndLine(digest));
}

Result<FolderModel> FolderModel::Read(std::unique_ptr<ByteStream> stream, const std::string& name,
                                      const Settings& settings) {
  LineReader reader(std::move(stream));
  FolderModel model;
  model.features_ = settings.features;
  std::string line;
  uint64_t digest = 0;
  for (uint64_t number = 1;; ++number) {
    const auto read = NextLine(&reader, &line);
    if (!read) return tl::unexpected(read.error());
    if (*read == LineRead::kTooLong) return Wrong(name, number, kLineIsTooLong);
    if (*read == LineRead::kEnd)
      return Wrong(name, number, "the file ends before its last line: it is incomplete or damaged");
    if (number > 1 && line == EndLine(digest)) break;
    digest = WithLine(digest, line);
    const std::string wrong = number == 1 ? model.TakeHead(line) : model.TakeWeights(line);
    if (!wrong.empty()) return Wrong(name, number, wrong);
  }
  const auto more = NextLine(&reader, &line);
  if (!more) return tl::unexpected(more.error());
  if (*more != LineRead::kEnd)
    return tl::unexpected(Error{kData, name + ": there is data after the last line"});
  return model;
}

std::string FolderModel::TakeHead(const std::string& line) {
  const auto head = nlohmann::json::parse(line, nullptr, false);
  const auto field = [&](const char* name) {
    return head.is_object() && head.contains(name) ? head[name] : nlohmann::json();
  };
  if (field("form") != kFormName || field("version") != kVersion)
    return fmt::format("expected what `thresher fit --folders` writes, version {}", kVersion);
  if (field("tokenizer") != tokenizer::kTokenizerVersion)
    return fmt::format("made by another version of the tokenizer than {}: fit it again",
                       tokenizer::kTokenizerVersion);
  const nlohmann::json features = field("features");
  if (!features.is_string()) return "expected features";
  const auto restored = RestoreFeatureSettings(features.get<std::string>(), &features_);
  if (!restored) return restored.error().message;
  for (const auto& folder : field("folders")) {
    if (!folder.is_string()) return "expected the names of folders";
    folders_.push_back(folder.get<std::string>());
  }
  return folders_.size() < 2 ? "expected at least two folders" : "";
}

std::string FolderModel::TakeWeights(std::string_view line) {
  uint64_t id = 0;
  if (!TakeNumber(&line, &id)) return "expected an id and its weights";
  if (!places_.try_emplace(id, weights_.size()).second) return fmt::format("{:016x} occurs twice", id);
  for (size_t folder = 0; folder < folders_.size(); ++folder) {
    float weight = 0;
    if (!TakeNumber(&line, &weight) || !std::isfinite(weight)) break;
    weights_.push_back(weight);
  }
  const bool all = weights_.size() == places_.size() * folders_.size();
  return all && line == "\n" ? "" : fmt::format("expected {} weights", folders_.size());
}

FolderModel::Choice FolderModel::Choose(const tokenizer::Features& features) const {
  std::vector<double> scores(folders_.size());
  for (size_t i = 0; i < features.size(); ++i) {
    const auto found = places_.find(features.ids[i]);
    if (found == places_.end()) continue;
    for (size_t folder = 0; folder < scores.size(); ++folder) {
      scores[folder] +=
          static_cast<double>(weights_[found->second + folder]) * static_cast<double>(features.values[i]);
    }
  }
  const auto best = std::max_element(scores.begin(), scores.end());
  const double score = *best;
  const auto place = static_cast<size_t>(best - scores.begin());
  *best = -INFINITY;
  return {folders_[place], score, score - *std::max_element(scores.begin(), scores.end())};
}

}  // namespace thresher::pipeline
