// Dependency rules ("arrows"): which folder may use which, and which files may include which library.
//
// Reads every #include of thresher's sources. A confined library is listed with the only files that may
// include it, so that it can be replaced there.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Arrows = std::map<std::string, std::vector<std::string>, std::less<>>;

// Which folders each folder may use, as the build states it (cmake/folders.cmake).
Arrows ReadArrows() {
  Arrows arrows;
  std::ifstream file(THRESHER_ARROWS_FILE);
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::istringstream used(line.substr(colon + 1));
    std::vector<std::string>& folders = arrows[line.substr(0, colon)];
    for (std::string folder; used >> folder;) folders.push_back(folder);
  }
  return arrows;
}

const Arrows& AllArrows() {
  static const Arrows kArrows = ReadArrows();
  return kArrows;
}

struct Confinement {
  std::string_view header;               // included headers that begin with this
  std::vector<std::string_view> places;  // only in files whose path begins with one of these
};

const std::vector<Confinement> kConfinements = {
    {"gmime/",
     {"tokenizer/line_stream", "tokenizer/mime.cc", "tokenizer/mime_object", "tokenizer/part_description.cc",
      "tokenizer/text_libraries.cc", "tokenizer/transfer_decoder.cc", "bench/tokenizer_bench.cc"}},
    {"glib", {"tokenizer/gobject_ptr.h"}},
    {"nettle", {"tokenizer/keyed_digest.cc"}},
    {"unicode/",
     {"tokenizer/", "pipeline/generate", "pipeline/terminal/pattern.cc", "pipeline/terminal/character.cc"}},
    {"rocksdb/", {"storage/"}},
    {"storage/database_impl.h", {"storage/"}},
    // These include GMime, GLib or ICU.
    {"tokenizer/charset_detection.h", {"tokenizer/"}},
    {"tokenizer/gobject_ptr.h", {"tokenizer/"}},
    {"tokenizer/line_stream.h", {"tokenizer/"}},
    {"tokenizer/mime_object.h", {"tokenizer/"}},
    {"yaml-cpp/", {"pipeline/settings/file.cc"}},
    {"boost/iostreams", {"pipeline/input/"}},
    {"boost/asio",
     {"pipeline/serve/server.cc", "pipeline/serve/connection.", "pipeline/serve/http_parser.cc"}},
    {"boost/beast", {"pipeline/serve/http_parser.cc"}},
    {"nats", {"pipeline/cluster/nats_library.h"}},
    {"mpi.h", {"pipeline/mpi/mpi_group.cc"}},
    {"zlib.h", {"pipeline/serve/inflate.cc"}},
    {"zstd.h", {"pipeline/input/", "pipeline/serve/inflate.cc"}},
    {"CLI/",
     {"pipeline/commands/command_line.cc", "pipeline/commands/command_line_text.cc",
      "pipeline/commands/value_marks."}},
    {"nlohmann/", {"eval/", "pipeline/"}},
};

// Learners are pure mathematics: no input or output, clock, threads or random numbers.
const std::vector<std::string_view> kBarredFromLearners = {
    "<chrono>", "<random>", "<fstream>",    "<iostream>", "<cstdio>", "<thread>",
    "<mutex>",  "<atomic>", "<filesystem>", "<unistd.h>", "<ctime>",  "<time.h>"};

// What `line` includes, with its quotes or brackets; nullopt if it is not an #include.
std::optional<std::string> IncludeOf(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with("include")) return std::nullopt;
  const size_t begin = line.find_first_of("\"<");
  if (begin == std::string_view::npos) return std::nullopt;
  const size_t end = line.find_first_of("\">", begin + 1);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(line.substr(begin, end - begin + 1));
}

bool BeginsWithOneOf(std::string_view text, const std::vector<std::string_view>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view b) { return text.starts_with(b); });
}

// The folder that holds `path`: the longest folder that has arrows, or else the first part of the path.
std::string FolderOf(std::string_view path) {
  std::string_view best = path.substr(0, path.find('/'));
  for (const auto& [folder, used] : AllArrows()) {
    const bool is_inside =
        path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
    if (is_inside && folder.size() > best.size()) best = folder;
  }
  return std::string(best);
}

// error.h, file_pointer.h, verdict.h, version.h, wall_clock.h and main.cc are in pipeline/ itself: every
// folder below it may use these headers.
bool IsForAllOfPipeline(const std::string& folder, const std::string& header) {
  return folder.starts_with("pipeline") && FolderOf(header) == "pipeline";
}

// Why `path` (relative to the project) may not include `include`; empty if it may.
std::string WhyNot(const std::string& path, const std::string& include) {
  const std::string folder = FolderOf(path);
  const std::string header = include.substr(1, include.size() - 2);
  for (const Confinement& confinement : kConfinements) {
    if (header.starts_with(confinement.header) && !BeginsWithOneOf(path, confinement.places)) {
      return header + " is confined to other files";
    }
  }
  if (include.front() == '"') {
    const std::string target = FolderOf(header);
    if (target == folder || IsForAllOfPipeline(folder, header)) return "";
    if (path == "pipeline/main.cc") return "";
    const auto arrows = AllArrows().find(folder);
    if (arrows != AllArrows().end() && std::ranges::find(arrows->second, target) != arrows->second.end())
      return "";
    return "no arrow from " + folder + " to " + target;
  }
  if (folder == "learners" && BeginsWithOneOf(include, kBarredFromLearners))
    return "learners are pure mathematics";
  return "";
}

// "PATH:LINE: why" for every #include that is not allowed.
std::vector<std::string> Violations(const std::string& path, std::istream& source) {
  std::vector<std::string> violations;
  std::string line;
  for (size_t number = 1; std::getline(source, line); ++number) {
    const std::optional<std::string> include = IncludeOf(line);
    if (!include) continue;
    const std::string why = WhyNot(path, *include);
    if (!why.empty()) violations.push_back(fmt::format("{}:{}: {}: {}", path, number, *include, why));
  }
  return violations;
}

std::vector<std::string> ViolationsIn(const std::string& path, const std::string& text) {
  std::istringstream source(text);
  return Violations(path, source);
}

// Calls visit(path, source) for every file that is checked; the path is relative to the project.
void ForEachSource(const std::function<void(const std::string&, std::istream&)>& visit) {
  const std::filesystem::path root = THRESHER_SOURCE_DIR;
  for (const std::string_view folder :
       {"schema", "tokenizer", "learners", "storage", "eval", "pipeline", "reproduction"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".cc" && extension != ".h" && extension != ".in") continue;
      std::ifstream source(entry.path());
      visit(entry.path().lexically_relative(root).string(), source);
    }
  }
}

TEST(Arrows, TheTreeKeepsThem) {
  std::vector<std::string> violations;
  size_t files = 0;
  ForEachSource([&](const std::string& path, std::istream& source) {
    const auto found = Violations(path, source);
    violations.insert(violations.end(), found.begin(), found.end());
    ++files;
  });
  EXPECT_GT(files, 30u);
  EXPECT_THAT(violations, IsEmpty());
}

// An arrow that nothing uses allows what nobody has thought about.
TEST(Arrows, EachHasAnInclude) {
  std::map<std::string, std::set<std::string>> included;
  ForEachSource([&](const std::string& path, std::istream& source) {
    for (std::string line; std::getline(source, line);) {
      const std::optional<std::string> include = IncludeOf(line);
      if (include && include->front() == '"')
        included[FolderOf(path)].insert(FolderOf(include->substr(1, include->size() - 2)));
    }
  });
  for (const auto& [folder, used] : AllArrows()) {
    for (const std::string& target : used)
      EXPECT_TRUE(included[folder].contains(target)) << "from " << folder << " to " << target;
  }
}

// What `folder` uses, directly or not.
void AddAllUsed(const std::string& folder, std::set<std::string>* all) {
  for (const std::string& used : AllArrows().at(folder)) {
    if (all->insert(used).second) AddAllUsed(used, all);
  }
}

TEST(Arrows, HaveNoCycles) {
  ASSERT_GT(AllArrows().size(), 10u);
  for (const auto& [folder, direct] : AllArrows()) {
    std::set<std::string> used;
    AddAllUsed(folder, &used);
    EXPECT_FALSE(used.contains(folder)) << folder << " uses itself";
  }
}

TEST(Arrows, FoldersOfOneSubjectUseNothingOfOurs) {
  for (const char* const folder : {"schema", "tokenizer", "storage", "eval", "pipeline/generate"}) {
    EXPECT_THAT(AllArrows().at(folder), IsEmpty()) << folder;
  }
  EXPECT_THAT(AllArrows().at("learners"), ElementsAre("schema"));
}

TEST(Arrows, WrongIncludesAreFound) {
  EXPECT_THAT(ViolationsIn("learners/x.cc", "\n#include \"storage/database.h\"\n"),
              ElementsAre("learners/x.cc:2: \"storage/database.h\": no arrow from learners to storage"));
  EXPECT_EQ(ViolationsIn("eval/x.h", "  #  include \"pipeline/error.h\"").size(), 1u);
  EXPECT_EQ(ViolationsIn("pipeline/x.cc", "#include \"tests/pipeline/input/compressed.h\"").size(), 1u);
  EXPECT_EQ(ViolationsIn("pipeline/fit/x.cc", "#include \"reproduction/report.h\"").size(), 1u);
  EXPECT_EQ(ViolationsIn("tokenizer/x.cc", "#include \"mime.h\"").size(), 1u);  // paths begin at the project
  EXPECT_EQ(ViolationsIn("tokenizer/html.cc", "#include <gmime/gmime.h>").size(), 1u);
  EXPECT_EQ(ViolationsIn("pipeline/model/model.cc", "#include <rocksdb/db.h>").size(), 1u);
  EXPECT_EQ(ViolationsIn("pipeline/model/model.cc", "#include \"storage/database_impl.h\"").size(), 1u);
  EXPECT_EQ(ViolationsIn("pipeline/fit/x.cc", "#include \"tokenizer/charset_detection.h\"").size(), 1u);
  EXPECT_EQ(ViolationsIn("pipeline/settings/settings.cc", "#include <yaml-cpp/yaml.h>").size(), 1u);
  EXPECT_EQ(ViolationsIn("pipeline/commands/learn.cc", "#include <CLI/CLI.hpp>").size(), 1u);
  EXPECT_EQ(ViolationsIn("learners/x.cc", "#include <random>").size(), 1u);
}

TEST(Arrows, RightIncludesPass) {
  EXPECT_THAT(
      ViolationsIn("pipeline/trec/x.cc", "#include \"eval/report.h\"\n#include \"pipeline/error.h\"\n"),
      IsEmpty());
  EXPECT_THAT(
      ViolationsIn("tokenizer/mime.cc", "#include <gmime/gmime.h>\n#include <random>\n// #include \"x.h\""),
      IsEmpty());
  EXPECT_THAT(ViolationsIn("storage/x.cc", "#include <rocksdb/db.h>\n#define include \"eval/report.h\""),
              IsEmpty());
}

}  // namespace
