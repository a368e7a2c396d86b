// Measures what one message that is taught under the wrong label does to a model, and its correction.
//
//   measure_mistakes KEY=VALUE… -- mail|document LATER INDEX …
//
// The settings are those of the model. Called by scripts/measure-mistakes, which says what is printed.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/choose/cached_stream.h"
#include "bench/choose/memory_model.h"
#include "bench/must.h"
#include "pipeline/trec/grid.h"
#include "pipeline/verdict.h"

namespace thresher::bench {
namespace {

using pipeline::Evidence;
using pipeline::Verdict;

constexpr std::array<size_t, 3> kTaught = {100, 400, 1500};
constexpr size_t kLater = 500;  // messages that are judged
constexpr std::array<size_t, 5> kSizes = {0, 500, 1500, 4000,
                                          std::numeric_limits<size_t>::max()};  // in features
constexpr size_t kOfEachSize = 3;
constexpr size_t kMostMessages = 6000;

Verdict VerdictOn(const Message& message, MemoryModel& model) {
  return pipeline::Thresholds().Decide(model.Classify(message).probability);
}

// In percent of their class.
struct Verdicts {
  double spam_as_spam = 0;
  double ham_as_ham = 0;
  double ham_as_spam = 0;
};

// One message that was taught wrongly to a copy of a model.
struct Slip {
  size_t taught = 0;  // before
  bool is_spam = false;
  Evidence evidence = Evidence::kReply;
  size_t size = 0;   // index into kSizes
  double moved = 0;  // its margin
  Verdicts before = {};
  Verdicts after = {};
  Verdicts corrected = {};
  Verdicts never = {};  // without the slip and its correction
};

class Stream {
 public:
  // `later`: how many more messages are taught between a slip and its correction.
  Stream(CachedStream stream, size_t later) : stream_(std::move(stream)), later_(later) {}

  size_t size() const { return stream_.size(); }

  MemoryModel Taught(const pipeline::Settings& settings, size_t number) const {
    auto learner = learners::MakeLearner(settings.learner, settings.learner_options);
    if (!learner) GiveUp(learner.error());
    MemoryModel model(*std::move(learner), settings.rehearsal, stream_.width());
    for (size_t i = 0; i < number; ++i)
      model.Learn(stream_.At(i), LabelOf(stream_.IsSpam(i)), Evidence::kStream);
    return model;
  }

  // Adds a slip for some messages after those that are judged: the first of each class and size, of those
  // whose verdict was right.
  void AddSlips(size_t taught, Evidence evidence, const MemoryModel& unspoilt,
                std::vector<Slip>* slips) const {
    MemoryModel model = unspoilt;
    const Verdicts before = JudgeLater(taught, model);
    std::map<std::pair<bool, size_t>, size_t> found;
    for (size_t i = taught + kLater; i < stream_.size(); ++i) {
      const bool is_spam = stream_.IsSpam(i);
      const Message message = stream_.At(i);
      const auto above = std::ranges::upper_bound(kSizes, message.indices.size());
      const auto size = static_cast<size_t>(above - kSizes.begin()) - 1;
      if (found[{is_spam, size}] == kOfEachSize) continue;
      if (VerdictOn(message, model) != (is_spam ? Verdict::kSpam : Verdict::kHam)) continue;
      ++found[{is_spam, size}];
      slips->push_back(
          {.taught = taught, .is_spam = is_spam, .evidence = evidence, .size = size, .before = before});
      Teach(i, unspoilt, &slips->back());
    }
  }

 private:
  void Teach(size_t number, const MemoryModel& unspoilt, Slip* slip) const {
    MemoryModel never = unspoilt;
    TeachLater(number, never);
    slip->never = JudgeLater(slip->taught, never);
    MemoryModel model = unspoilt;
    const Message message = stream_.At(number);
    const double margin = model.Learn(message, LabelOf(!slip->is_spam), slip->evidence).margin;
    slip->moved = std::abs(model.Classify(message).margin - margin);
    slip->after = JudgeLater(slip->taught, model);
    TeachLater(number, model);
    model.Correct(slip->taught, LabelOf(slip->is_spam));
    slip->corrected = JudgeLater(slip->taught, model);
  }

  void TeachLater(size_t number, MemoryModel& model) const {
    for (size_t i = number + 1; i < stream_.size() && i <= number + later_; ++i)
      model.Learn(stream_.At(i), LabelOf(stream_.IsSpam(i)), Evidence::kStream);
  }

  Verdicts JudgeLater(size_t taught, MemoryModel& model) const {
    Verdicts counts;
    double ham = 0;
    for (size_t i = taught; i < taught + kLater; ++i) {
      const Verdict verdict = VerdictOn(stream_.At(i), model);
      if (stream_.IsSpam(i)) {
        counts.spam_as_spam += verdict == Verdict::kSpam ? 1 : 0;
        continue;
      }
      ++ham;
      counts.ham_as_ham += verdict == Verdict::kHam ? 1 : 0;
      counts.ham_as_spam += verdict == Verdict::kSpam ? 1 : 0;
    }
    const double spam = kLater - ham;
    return {.spam_as_spam = 100 * counts.spam_as_spam / std::max(spam, 1.0),
            .ham_as_ham = 100 * counts.ham_as_ham / std::max(ham, 1.0),
            .ham_as_spam = 100 * counts.ham_as_spam / std::max(ham, 1.0)};
  }

  CachedStream stream_;
  size_t later_;
};

// "93 → 62 (41) → 88 (80); 92": the means before, after and corrected, the worst of the last two in brackets;
// the mean without slips.
template <class Worst>
std::string Cell(std::span<const Slip> slips, double Verdicts::*figure, const Worst& worst) {
  Verdicts before;
  Verdicts after;
  Verdicts corrected;
  Verdicts never;
  double worst_after = slips[0].after.*figure;
  double worst_corrected = slips[0].corrected.*figure;
  for (const Slip& slip : slips) {
    before.*figure += slip.before.*figure;
    after.*figure += slip.after.*figure;
    corrected.*figure += slip.corrected.*figure;
    never.*figure += slip.never.*figure;
    worst_after = worst(worst_after, slip.after.*figure);
    worst_corrected = worst(worst_corrected, slip.corrected.*figure);
  }
  const auto number = static_cast<double>(slips.size());
  return fmt::format("{:.3g} → {:.3g} ({:.3g}) → {:.3g} ({:.3g}); {:.3g}", before.*figure / number,
                     after.*figure / number, worst_after, corrected.*figure / number, worst_corrected,
                     never.*figure / number);
}

template <class Wanted>
void PrintRow(std::string_view name, const std::vector<Slip>& slips, const Wanted& is_wanted) {
  std::vector<Slip> group;
  std::ranges::copy_if(slips, std::back_inserter(group), is_wanted);
  if (group.empty()) return;
  const auto least = [](double a, double b) { return std::min(a, b); };
  const auto most = [](double a, double b) { return std::max(a, b); };
  double moved = 0;
  for (const Slip& slip : group) moved += slip.moved / static_cast<double>(group.size());
  fmt::print("| {} | {} | {:.0f} | {} | {} | {} |\n", name, group.size(), moved,
             Cell(group, &Verdicts::spam_as_spam, least), Cell(group, &Verdicts::ham_as_ham, least),
             Cell(group, &Verdicts::ham_as_spam, most));
}

void Print(const std::vector<Slip>& slips) {
  fmt::print(
      "| slips | number | margin moves by | spam called Spam, % | ham called Ham, % | ham called Spam, % |\n"
      "|---|---:|---:|---|---|---|\n");
  for (const Evidence evidence : {Evidence::kReply, Evidence::kArchive}) {
    const std::string_view way = evidence == Evidence::kReply ? "reply" : "not judged before";
    for (const bool is_spam : {true, false}) {
      const std::string_view slip = is_spam ? "spam as ham" : "ham as spam";
      const auto is_such = [=](const Slip& s) { return s.evidence == evidence && s.is_spam == is_spam; };
      for (const size_t taught : kTaught) {
        PrintRow(fmt::format("{}, {}, after {} messages", slip, way, taught), slips,
                 [=](const Slip& s) { return is_such(s) && s.taught == taught; });
      }
      for (size_t size = 0; size + 1 < kSizes.size(); ++size) {
        PrintRow(fmt::format("{}, {}, from {} features", slip, way, kSizes[size]), slips,
                 [=](const Slip& s) { return is_such(s) && s.size == size; });
      }
    }
  }
}

int Main(const std::vector<std::string>& arguments) {
  const auto end = std::ranges::find(arguments, "--");
  if (arguments.end() - end < 4) {
    fmt::print(stderr, "usage: see scripts/measure-mistakes\n");
    return 64;
  }
  const auto kind = *(end + 1) == "document" ? tokenizer::Kind::kDocument : tokenizer::Kind::kMail;
  const size_t later = std::stoul(*(end + 2));
  const std::vector<std::string> settings(arguments.begin(), end);
  const auto combinations = Must(pipeline::Combinations(pipeline::Settings(), settings));
  std::vector<Slip> slips;
  for (auto index = end + 3; index != arguments.end(); ++index) {
    const Stream stream(CachedStream::Tokenised(*index, kind, kMostMessages), later);
    for (const size_t taught : kTaught) {
      if (taught + kLater > stream.size()) continue;
      const MemoryModel model = stream.Taught(combinations.front().settings, taught);
      for (const Evidence evidence : {Evidence::kReply, Evidence::kArchive})
        stream.AddSlips(taught, evidence, model, &slips);
    }
  }
  Print(slips);
  return 0;
}

}  // namespace
}  // namespace thresher::bench

int main(int argc, char** argv) { return thresher::bench::Main({argv + 1, argv + argc}); }
