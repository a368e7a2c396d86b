// Reads settings from a YAML file. Only this file uses yaml-cpp.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "pipeline/input/file_reader.h"
#include "pipeline/settings/places.h"
#include "pipeline/settings/table.h"

namespace thresher::pipeline {
namespace {

struct Entry {
  std::string key;
  std::string text;
  std::string place;
};

bool IsSection(std::string_view key) {
  const auto settings = AllSettings();
  return key == kLearnerOptionsKey ||
         std::any_of(settings.begin(), settings.end(),
                     [&](const Setting& setting) { return setting.section() == fmt::format("{}.", key); });
}

// Turns the tree of a file into a list of settings with complete keys. Descends only where there can be
// settings, so that deep nesting and aliases cost nothing.
class Flattener {
 public:
  explicit Flattener(std::string path) : path_(std::move(path)) {}

  Result<std::vector<Entry>> Flatten(const YAML::Node& root) {
    Result<void> done = Map("", root);
    if (!done) return tl::unexpected(done.error());
    return std::move(entries_);
  }

 private:
  std::string PlaceOf(const YAML::Node& node) const {
    return fmt::format("{}:{}", path_, node.Mark().line + 1);
  }

  tl::unexpected<Error> Wrong(const YAML::Node& node, std::string_view what) const {
    return tl::unexpected(Error{kConfig, fmt::format("{}: {}", PlaceOf(node), what)});
  }

  Result<void> Map(const std::string& section, const YAML::Node& map) {
    if (map.IsNull()) return {};  // a section whose settings are all commented out
    if (!map.IsMap()) {
      return Wrong(map, section.empty()
                            ? "expected settings, \"section:\" and below it \"name: value\""
                            : fmt::format("{}: expected settings below it, \"name: value\"", section));
    }
    for (const auto& pair : map) {
      if (!pair.first.IsScalar()) return Wrong(pair.first, "expected the name of a setting");
      const std::string key = section.empty() ? pair.first.Scalar() : section + '.' + pair.first.Scalar();
      if (!keys_.insert(key).second)
        return Wrong(pair.first, fmt::format("{} stands here a second time", key));
      Result<void> done = IsSection(key) ? Map(key, pair.second) : Value(key, pair.first, pair.second);
      if (!done) return done;
    }
    return {};
  }

  Result<void> Value(const std::string& key, const YAML::Node& name, const YAML::Node& value) {
    const Setting* const setting = FindSetting(key);
    const bool is_option = key.starts_with(kLearnerOptionsKey);
    if (setting == nullptr && !is_option) return Wrong(name, UnknownSetting(WholeKey(key, value)));
    if (value.IsScalar()) {
      entries_.push_back({key, value.Scalar(), PlaceOf(name)});
      return {};
    }
    const bool is_list =
        setting != nullptr && setting->option.type == schema::OptionType::kHeaderNames && value.IsSequence();
    const std::string wrong =
        fmt::format("{}: expected {}", key, is_option ? "one value" : setting->option.Expected());
    if (!is_list) return Wrong(name, wrong);
    std::vector<std::string> items;
    for (const YAML::Node& item : value) {
      if (!item.IsScalar() || !setting->option.Canonical(item.Scalar())) return Wrong(item, wrong);
      items.push_back(item.Scalar());
    }
    entries_.push_back({key, fmt::format("{}", fmt::join(items, ",")), PlaceOf(name)});
    return {};
  }

  // The key with the first key below it, if it is an unknown section: a better hint for the error message.
  static std::string WholeKey(std::string key, const YAML::Node& value) {
    if (value.IsMap() && value.size() > 0 && value.begin()->first.IsScalar())
      key += '.' + value.begin()->first.Scalar();
    return key;
  }

  std::string path_;
  std::vector<Entry> entries_;
  std::set<std::string> keys_;
};

// yaml-cpp takes some control characters as the end of the file.
Result<void> RefuseControlCharacters(const std::string& path, std::string_view text) {
  const auto* const found = std::find_if(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\r' && c != '\t';
  });
  if (found == text.end()) return {};
  const auto line = 1 + std::count(text.begin(), found, '\n');
  return tl::unexpected(
      Error{kConfig, fmt::format("{}:{}: a control character (byte {:#04x}), which is no text", path, line,
                                 static_cast<unsigned char>(*found))});
}

// Records where documents begin, and ignores everything else.
class DocumentStarts final : public YAML::EventHandler {
 public:
  int last_line() const { return last_line_; }
  void OnDocumentStart(const YAML::Mark& mark) override { last_line_ = mark.line + 1; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
  }
  void OnMapEnd() override {}

 private:
  int last_line_ = 0;
};

// The line after the first document, if something follows it. YAML::Load would ignore that, and YAML::LoadAll
// does not return for some broken files.
std::optional<int> LineAfterFirstDocument(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentStarts starts;
  if (!parser.HandleNextDocument(starts) || !parser.HandleNextDocument(starts)) return std::nullopt;
  return starts.last_line();
}

Result<std::vector<Entry>> Parse(const std::string& path, const std::string& text) {
  try {
    if (const auto line = LineAfterFirstDocument(text)) {
      return tl::unexpected(
          Error{kConfig, fmt::format("{}:{}: expected nothing after the first YAML document", path, *line)});
    }
    return Flattener(path).Flatten(YAML::Load(text));
  } catch (const YAML::Exception& fault) {
    return tl::unexpected(
        Error{kConfig, fmt::format("{}:{}: not YAML: {}", path, fault.mark.line + 1, fault.msg)});
  } catch (const std::exception& fault) {
    return tl::unexpected(Error{kConfig, fmt::format("{}: {}", path, fault.what())});
  }
}

Result<Settings> LoadFile(const std::string& path) {
  constexpr size_t kMaxBytes = 1u << 20;
  // A pipe may never end, and standard input may be the message.
  if (path == "-") return tl::unexpected(Error{kConfig, "-: a configuration must be a regular file"});
  std::error_code missing;
  if (std::filesystem::exists(path, missing) && !std::filesystem::is_regular_file(path, missing))
    return tl::unexpected(Error{kConfig, path + ": a configuration must be a regular file"});
  std::string text;
  const Result<Extent> extent = ReadFile(path, &text, kMaxBytes);
  if (!extent) return tl::unexpected(Error{kConfig, extent.error().message});
  if (*extent == Extent::kCut)
    return tl::unexpected(Error{kConfig, fmt::format("{}: longer than {} bytes", path, kMaxBytes)});
  const Result<void> is_text = RefuseControlCharacters(path, text);
  if (!is_text) return tl::unexpected(is_text.error());
  Result<std::vector<Entry>> entries = Parse(path, text);
  if (!entries) return tl::unexpected(entries.error());
  // Setting a learner removes the options set before it, so options come last.
  std::stable_partition(entries->begin(), entries->end(),
                        [](const Entry& entry) { return FindSetting(entry.key) != nullptr; });
  Settings settings;
  for (const Entry& entry : *entries) {
    const Result<void> done =
        SetByKey(entry.key, {.text = entry.text, .place = entry.place, .in_file = true}, &settings);
    if (!done) return tl::unexpected(done.error());
  }
  return settings;
}

}  // namespace

Result<Settings> LoadSettings(const std::string& path) {
  if (!path.empty()) return LoadFile(path);
  for (const std::string& candidate : ConfigurationFiles()) {
    std::error_code missing;
    const bool exists = std::filesystem::exists(candidate, missing);
    if (exists || (missing && missing != std::errc::not_a_directory)) return LoadFile(candidate);
  }
  return Settings();
}

}  // namespace thresher::pipeline
