#include "pipeline/fit/folder_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "learners/batch/solver.h"
#include "pipeline/fit/whole_line.h"
#include "pipeline/input/source.h"
#include "pipeline/model_identity.h"
#include "pipeline/output_file.h"

namespace thresher::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kForm = "thresher-folders";
constexpr int kVersion = 1;
constexpr std::string_view kEnd = "end\n";

tl::unexpected<Error> Wrong(const std::string& path, uint64_t line, std::string_view what) {
  return tl::unexpected(Error{kData, fmt::format("{}:{}: {}", path, line, what)});
}

Result<std::vector<std::string>> FoldersIn(const std::string& dir) {
  std::vector<std::string> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(dir, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory() && !name.starts_with('.')) folders.push_back(name);
  }
  if (error) return tl::unexpected(Error{kNoInput, fmt::format("{}: {}", dir, error.message())});
  std::sort(folders.begin(), folders.end());
  if (folders.size() < 2)
    return tl::unexpected(
        Error{kData, fmt::format("{}: {} folder(s); expected at least two", dir, folders.size())});
  return folders;
}

// The next number of a line in `base` 10 or 16, taken off its front with the space before it.
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
  auto folders = FoldersIn(dir);
  if (!folders) return tl::unexpected(folders.error());
  auto store = ExampleStore::Make();
  if (!store) return tl::unexpected(store.error());
  tokenizer::Tokenizer tokenizer(settings.features, 0);
  tokenizer::Features features;
  RawMessage message;
  for (size_t place = 0; place < folders->size(); ++place) {
    auto source = OpenSource((fs::path(dir) / (*folders)[place]).string(), Format::kMessage);
    if (!source) return tl::unexpected(source.error());
    while (true) {
      const auto more = (*source)->Next(&message);
      if (!more) on_unreadable(more.error());
      if (!more) continue;
      if (!*more) break;
      tokenizer.Tokenize(message.bytes, kind, &features);
      if (auto added = store->Add(features.ids, features.values, static_cast<float>(place)); !added)
        return tl::unexpected(added.error());
      if (on_progress) on_progress(store->size());
    }
  }
  if (auto done = store->Finish(); !done) return tl::unexpected(done.error());
  return FolderExamples{*std::move(store), *std::move(folders)};
}

Result<void> FolderModel::Write(const std::string& path, const Settings& settings,
                                const FolderExamples& examples, std::span<const double> weights) {
  auto meta = NewIdentity(settings);
  if (!meta) return tl::unexpected(meta.error());
  (*meta)["seed"] = fmt::format("{:016x}", 0);
  auto file = OutputFile::Open(path);
  if (!file) return tl::unexpected(file.error());
  const nlohmann::ordered_json head = {
      {"form", kForm}, {"version", kVersion}, {"folders", examples.folders}, {"meta", *meta}};
  file->Write(head.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  const size_t folders = examples.folders.size();
  const auto ids = examples.store.ids();
  for (size_t j = 0; j < ids.size(); ++j) {
    const auto of_feature = weights.subspan(j * folders, folders);
    if (learners::batch::CountNonzeros(of_feature) == 0) continue;
    std::string line = fmt::format("{:016x}", ids[j]);
    for (const double weight : of_feature) line += fmt::format(" {}", static_cast<float>(weight));
    file->Write(line + "\n");
  }
  file->Write(kEnd);
  return file->Close();
}

Result<FolderModel> FolderModel::Read(const std::string& path, const Settings& settings) {
  auto stream = OpenStream(path);
  if (!stream) return tl::unexpected(stream.error());
  LineReader reader(*std::move(stream));
  std::string line;
  auto more = NextLine(&reader, &line);
  if (!more) return tl::unexpected(more.error());
  const auto head = nlohmann::json::parse(line, nullptr, false);
  if (!head.is_object() || head.value("form", "") != kForm || head.value("version", 0) != kVersion)
    return Wrong(path, 1, fmt::format("expected what `thresher fit --folders` writes, version {}", kVersion));
  FolderModel model;
  storage::Meta meta;
  const nlohmann::json recorded = head.value("meta", nlohmann::json::object());  // outlives the loop
  for (const auto& [name, text] : recorded.items()) {
    if (text.is_string()) meta[name] = text.get<std::string>();
  }
  const auto identity = ReadIdentity(meta, settings);
  if (!identity) return Wrong(path, 1, identity.error().message);
  model.features_ = identity->features;
  for (const auto& name : head.value("folders", nlohmann::json::array())) {
    if (name.is_string()) model.folders_.push_back(name.get<std::string>());
  }
  if (model.folders_.size() < 2) return Wrong(path, 1, "expected at least two folders");
  for (uint64_t number = 2;; ++number) {
    more = NextLine(&reader, &line);
    if (!more) return tl::unexpected(more.error());
    if (!*more) return Wrong(path, number, "the file ends before its last line: it is cut short");
    if (line == kEnd) return model;
    std::string_view rest = line;
    uint64_t id = 0;
    if (!TakeNumber(&rest, &id)) return Wrong(path, number, "expected an id and its weights");
    model.places_[id] = model.weights_.size();
    for (size_t folder = 0; folder < model.folders_.size(); ++folder) {
      float weight = 0;
      if (!TakeNumber(&rest, &weight) || !std::isfinite(weight))
        return Wrong(path, number, fmt::format("expected {} weights", model.folders_.size()));
      model.weights_.push_back(weight);
    }
    if (rest != "\n") return Wrong(path, number, fmt::format("expected {} weights", model.folders_.size()));
  }
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
