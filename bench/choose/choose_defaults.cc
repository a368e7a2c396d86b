// Measures a grid of settings on streams of mail under several conditions, and says which to choose.
//
//   choose_defaults cache NAME mail|document INDEX MOST FOLDER   tokenises a stream
//   choose_defaults run GRID FOLDER SEEDS THREADS [CONDITION…]   measures what is not measured yet
//   choose_defaults table GRID FOLDER                            prints Markdown
//   choose_defaults pairs GRID FOLDER SEEDS THREADS [CONDITION…] compares the first setting with the best of
//                                                                each cell by more seeds; prints Markdown
//
// Called by scripts/choose-defaults, which says what the files are.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bench/choose/choice.h"
#include "bench/must.h"
#include "bench/timing.h"
#include "pipeline/trec/grid.h"

namespace thresher::bench {
namespace {

namespace fs = std::filesystem;

struct Candidate {
  std::string name;  // as in the grid
  Teaching teaching;
  std::string text;
};

// Each line of the file is a grid of its own: "KEY=VALUE,VALUE… KEY=…". Equal settings are listed once.
std::vector<Candidate> ReadGrid(const std::string& path) {
  std::ifstream in(path);
  if (!in) GiveUp(path + ": cannot be read");
  const pipeline::Settings defaults;
  std::vector<Candidate> candidates;
  std::set<std::string> texts;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::vector<std::string> vary;
    for (std::string word; words >> word;) vary.push_back(word);
    if (vary.empty()) continue;
    for (const pipeline::Combination& combination : Must(pipeline::Combinations(defaults, vary))) {
      const pipeline::Settings& settings = combination.settings;
      auto learner = learners::MakeLearner(settings.learner, settings.learner_options);
      if (!learner) GiveUp(learner.error());
      Candidate candidate{.name = fmt::format("{}", fmt::join(combination.assignments, " ")),
                          .teaching = {*std::move(learner), settings.rehearsal},
                          .text = {}};
      candidate.text = TextOf(candidate.teaching);
      if (texts.insert(candidate.text).second) candidates.push_back(std::move(candidate));
    }
  }
  return candidates;
}

fs::path StreamsIn(const fs::path& folder) { return folder / "streams"; }
std::string ResultsIn(const fs::path& folder) { return folder / "results.tsv"; }

// Names of streams have a slash, names of files a dash.
std::string FileOf(std::string name) {
  std::ranges::replace(name, '/', '-');
  return name;
}

int Cache(const std::string& name, const std::string& kind, const std::string& index, size_t most,
          const fs::path& folder) {
  const fs::path streams = StreamsIn(folder);
  fs::create_directories(streams);
  const fs::path path = streams / FileOf(name);
  if (!fs::exists(path)) {
    const auto tokens = kind == "document" ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail;
    CachedStream::Tokenised(index, tokens, most).Write(path);
  }
  // The name with its slash, beside the file, makes the stream known.
  std::ofstream(path.string() + ".name") << name << '\n';
  return 0;
}

std::vector<std::string> NamesOfStreams(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(StreamsIn(folder))) {
    if (entry.path().extension() != ".name") continue;
    std::ifstream in(entry.path());
    std::string name;
    if (std::getline(in, name)) names.push_back(name);
  }
  std::ranges::sort(names);
  return names;
}

struct Task {
  Measurement what;
  const Condition* condition;
  const Candidate* candidate;
};

// Runs the tasks of one stream and seed in several threads.
class Runner {
 public:
  explicit Runner(ResultWriter& results) : results_(results) {}

  void Run(const CachedStream& stream, const std::vector<Task>& tasks, size_t threads) {
    std::atomic<size_t> next = 0;
    const auto work = [&] {
      for (size_t i = next++; i < tasks.size(); i = next++) {
        Quality quality;
        const double seconds = Seconds([&] {
          quality = Measure(stream, *tasks[i].condition, tasks[i].candidate->teaching, tasks[i].what.seed);
        });
        const std::lock_guard lock(mutex_);
        results_.Add(tasks[i].what, quality, seconds);
      }
    };
    std::vector<std::thread> others;
    for (size_t i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
  }

 private:
  ResultWriter& results_;
  std::mutex mutex_;
};

// Which settings are measured in a cell with a seed.
using Wanted = std::function<bool(const Cell& cell, uint64_t seed, size_t candidate)>;

bool IsForChoice(std::string_view condition) {
  return std::ranges::any_of(AllConditions(), [&](const Condition& known) {
    return known.name == condition && !known.only_if_named;
  });
}

// Whether a condition is measured if these are named.
bool IsMeasured(const std::set<std::string>& named, const std::string& condition) {
  return named.empty() ? IsForChoice(condition) : named.contains(condition);
}

void RunWanted(const std::vector<Candidate>& candidates, const fs::path& folder, uint64_t seeds,
               size_t threads, const std::set<std::string>& only, const Wanted& is_wanted) {
  const Results done = ReadResults(ResultsIn(folder));
  ResultWriter writer(ResultsIn(folder));
  Runner runner(writer);
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const std::string& name : NamesOfStreams(folder)) {
      std::vector<Task> tasks;
      for (const Condition& condition : AllConditions()) {
        const Cell cell{name, std::string(condition.name)};
        if (!IsMeasured(only, cell.condition)) continue;
        for (size_t i = 0; i < candidates.size(); ++i) {
          const Measurement what{name, cell.condition, seed, candidates[i].text};
          if (is_wanted(cell, seed, i) && !done.contains(what))
            tasks.push_back({what, &condition, &candidates[i]});
        }
      }
      if (tasks.empty()) continue;
      CachedStream stream = CachedStream::Read(StreamsIn(folder) / FileOf(name));
      stream.MoveLastBits(seed);
      fmt::print(stderr, "seed {}: {}, {} messages, {} measurements\n", seed, name, stream.size(),
                 tasks.size());
      runner.Run(stream, tasks, threads);
    }
  }
}

int RunAll(const std::string& grid, const fs::path& folder, uint64_t seeds, size_t threads,
           const std::set<std::string>& only) {
  RunWanted(ReadGrid(grid), folder, seeds, threads, only, [](const auto&...) { return true; });
  return 0;
}

void PrintSettings(const Table& table, const std::vector<Candidate>& candidates) {
  std::vector<size_t> order(candidates.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](size_t i) { return RatiosOf(table, i, Figure::kArea).Product(); });
  fmt::print(
      "| settings | area: geometric mean | worst | in | log-loss: geometric mean | worst |\n"
      "|---|---:|---:|---|---:|---:|\n");
  for (const size_t i : order) {
    const Ratios area = RatiosOf(table, i, Figure::kArea);
    const Ratios loss = RatiosOf(table, i, Figure::kLogLoss);
    fmt::print("| `{}` | {:.2f} | {:.2f} | {} {} | {:.2f} | {:.2f} |\n", candidates[i].name,
               area.geometric_mean, area.worst, area.worst_cell.stream, area.worst_cell.condition,
               loss.geometric_mean, loss.worst);
  }
}

void PrintChoices(const Table& table, const std::vector<Candidate>& candidates) {
  std::set<std::string> corpora;
  for (const auto& [cell, medians] : table) corpora.insert(cell.Corpus());
  fmt::print("\n| without | choice |\n|---|---|\n| – | `{}` |\n", candidates[Choice(table)].name);
  if (corpora.size() < 2) return;
  for (const std::string& corpus : corpora)
    fmt::print("| {} | `{}` |\n", corpus, candidates[Choice(table, corpus)].name);
}

// Candidate 0 is the first of the grid: the present default.
void PrintCells(const Table& table, const std::vector<Candidate>& candidates) {
  fmt::print(
      "\n| stream | condition | best area | of | `{}` | ratio | log-loss, best | its | ratio |\n"
      "|---|---|---:|---|---:|---:|---:|---:|---:|\n",
      candidates[0].name);
  for (const auto& [cell, medians] : table) {
    const size_t best = BestIn(medians, Figure::kArea);
    fmt::print("| {} | {} | {:.4f} | `{}` | {:.4f} | {:.2f} | {:.4f} | {:.4f} | {:.2f} |\n", cell.stream,
               cell.condition, medians[best].area, candidates[best].name, medians[0].area,
               RatioIn(medians, 0, Figure::kArea), medians[BestIn(medians, Figure::kLogLoss)].log_loss,
               medians[0].log_loss, RatioIn(medians, 0, Figure::kLogLoss));
  }
}

std::vector<std::string> TextsOf(const std::vector<Candidate>& candidates) {
  std::vector<std::string> texts;
  texts.reserve(candidates.size());
  for (const Candidate& candidate : candidates) texts.push_back(candidate.text);
  return texts;
}

// Of each cell in which all were measured, the best by the first seed.
std::map<Cell, size_t> BestOfFirstSeed(const Results& results, const std::vector<Candidate>& candidates) {
  Results first;
  for (const auto& [what, quality] : results) {
    if (what.seed == 1) first.emplace(what, quality);
  }
  std::map<Cell, size_t> best;
  for (const auto& [cell, medians] : CellsOf(first, TextsOf(candidates)))
    best[cell] = BestIn(medians, Figure::kArea);
  return best;
}

void PrintPairs(const Results& results, const std::vector<Candidate>& candidates,
                const std::map<Cell, size_t>& best_of, const std::set<std::string>& only) {
  constexpr double kNear = 1.15;
  fmt::print(
      "| stream | condition | `{}` to the best by seed 1 | ratio by the other seeds | 95 % |\n"
      "|---|---|---|---:|---|\n",
      candidates[0].name);
  size_t cells = 0;
  size_t near = 0;
  size_t near_or_alike = 0;
  double logarithms = 0;
  for (const auto& [cell, best] : best_of) {
    if (!IsMeasured(only, cell.condition)) continue;
    const PairedRatio paired = PairedIn(results, cell, candidates[0].text, candidates[best].text);
    fmt::print("| {} | {} | `{}` | {:.2f} | {:.2f} to {:.2f} |\n", cell.stream, cell.condition,
               candidates[best].name, paired.ratio, paired.low, paired.high);
    ++cells;
    near += paired.ratio <= kNear ? 1 : 0;
    near_or_alike += paired.ratio <= kNear || paired.low <= 1 ? 1 : 0;
    logarithms += std::log(paired.ratio);
  }
  fmt::print("\n{} of {} cells within 15 %, {} within 15 % or the interval; geometric mean {:.3f}\n", near,
             cells, near_or_alike, std::exp(logarithms / std::max<double>(1, static_cast<double>(cells))));
}

int RunPairs(const std::string& grid, const fs::path& folder, uint64_t seeds, size_t threads,
             const std::set<std::string>& only) {
  const std::vector<Candidate> candidates = ReadGrid(grid);
  if (seeds < 3) GiveUp("pairs need three seeds or more: the first chooses, and an interval takes two");
  const auto best_of = BestOfFirstSeed(ReadResults(ResultsIn(folder)), candidates);
  if (best_of.empty()) GiveUp("no cell is measured with all settings of the grid and the first seed yet");
  RunWanted(candidates, folder, seeds, threads, only, [&](const Cell& cell, uint64_t seed, size_t candidate) {
    const auto best = best_of.find(cell);
    return seed > 1 && best != best_of.end() && (candidate == 0 || candidate == best->second);
  });
  PrintPairs(ReadResults(ResultsIn(folder)), candidates, best_of, only);
  return 0;
}

int PrintTable(const std::string& grid, const fs::path& folder) {
  const std::vector<Candidate> candidates = ReadGrid(grid);
  const Table table = CellsOf(ReadResults(ResultsIn(folder)), TextsOf(candidates));
  if (table.empty()) GiveUp("no cell is measured with all settings of the grid yet");
  fmt::print("{} settings in {} cells\n\n", candidates.size(), table.size());
  Table for_choice = table;
  std::erase_if(for_choice, [](const auto& entry) { return !IsForChoice(entry.first.condition); });
  if (for_choice.empty()) GiveUp("no cell of a condition that counts for the choice is measured yet");
  PrintSettings(for_choice, candidates);
  PrintChoices(for_choice, candidates);
  PrintCells(table, candidates);
  return 0;
}

int Main(const std::vector<std::string>& arguments) {
  const std::string command = arguments.empty() ? "" : arguments[0];
  if (command == "cache" && arguments.size() == 6)
    return Cache(arguments[1], arguments[2], arguments[3], std::stoull(arguments[4]), arguments[5]);
  if ((command == "run" || command == "pairs") && arguments.size() >= 5) {
    const auto run = command == "run" ? RunAll : RunPairs;
    return run(arguments[1], arguments[2], std::stoull(arguments[3]), std::stoull(arguments[4]),
               {arguments.begin() + 5, arguments.end()});
  }
  if (command == "table" && arguments.size() == 3) return PrintTable(arguments[1], arguments[2]);
  fmt::print(stderr, "usage: see scripts/choose-defaults\n");
  return 64;
}

}  // namespace
}  // namespace thresher::bench

int main(int argc, char** argv) { return thresher::bench::Main({argv + 1, argv + argc}); }
