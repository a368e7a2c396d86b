#include "bench/choose/condition.h"

#include <algorithm>
#include <array>
#include <vector>

#include "eval/probability_figures.h"
#include "eval/ranking.h"
#include "eval/roc.h"
#include "pipeline/verdict.h"

namespace thresher::bench {
namespace {

using pipeline::Evidence;
using pipeline::Feedback;
using pipeline::TrecEntry;

constexpr size_t kTaughtPart = 5;                    // one of so many is taught class by class
constexpr size_t kKeptFifths = 2;                    // so many fifths of a stream are kept mail
constexpr size_t kMostAfter = 3000;                  // messages that are classified then
constexpr uint64_t kSeedsApart = uint64_t{1} << 40;  // between the example numbers of two seeds

constexpr std::array<Condition, 12> kConditions = {
    Condition{.name = "clean"},
    Condition{.name = "flip-1", .stress = {.flip = 0.01}},
    Condition{.name = "flip-5", .stress = {.flip = 0.05}},
    Condition{.name = "delay-100", .stress = {.delay = 100}},
    Condition{.name = "delay-1000", .stress = {.delay = 1000}},
    Condition{.name = "share-30", .stress = {.share = 0.3}},
    Condition{.name = "errors", .feedback = Feedback::kErrors},
    Condition{.name = "slips-1", .stress = {.flip = 0.01}, .feedback = Feedback::kErrors, .slips = true},
    Condition{.name = "spam-first", .first_class = Label::kSpam},
    Condition{.name = "ham-first", .first_class = Label::kHam},
    Condition{
        .name = "kept-errors", .feedback = Feedback::kErrors, .begins_kept = true, .only_if_named = true},
    Condition{.name = "kept-slips",
              .stress = {.flip = 0.01},
              .feedback = Feedback::kErrors,
              .slips = true,
              .begins_kept = true,
              .only_if_named = true},
};

class Run {
 public:
  Run(const CachedStream& stream, const Teaching& teaching, uint64_t seed)
      : stream_(stream),
        model_(teaching.learner, teaching.rehearsal, stream.width(), seed * kSeedsApart + 1) {}

  void TeachClassByClass(Label first) {
    const size_t taught = stream_.size() / kTaughtPart;
    for (const bool is_first : {true, false}) {
      for (size_t i = 0; i < taught; ++i) {
        const Label label = LabelOf(stream_.IsSpam(i));
        if ((label == first) == is_first) model_.Learn(stream_.At(i), label, Evidence::kArchive);
      }
    }
    const size_t end = std::min(stream_.size(), taught + kMostAfter);
    for (size_t i = taught; i < end; ++i) Note(i, model_.Classify(stream_.At(i)));
  }

  // As `thresher replay` does.
  void Replay(const Condition& condition) {
    pipeline::TrecIndex index;
    for (size_t i = 0; i < stream_.size(); ++i) {
      const bool is_spam = stream_.IsSpam(i);
      index.entries.push_back({.is_spam = is_spam,
                               .classify = true,
                               .train = true,
                               .taught_spam = is_spam,
                               .path = {},
                               .line = i,
                               .user = {},
                               .genre = {}});
    }
    index = pipeline::Stressed(std::move(index), condition.stress);
    for (const TrecEntry& entry : index.entries) Take(entry, condition);
  }

  Quality Result() const {
    const auto judged = eval::JudgeProbabilities(outcomes_);
    const eval::Ranking ranking = eval::Rank(outcomes_);
    return {.area = eval::RocAreaAbove(ranking).value_or(0),
            .log_loss = judged ? judged->log_loss : 0,
            .nonzeros = model_.NonZeros(),
            .messages = outcomes_.size(),
            .smaller_class = std::min(ranking.ham, ranking.spam)};
  }

 private:
  void Take(const TrecEntry& entry, const Condition& condition) {
    const Feedback feedback = condition.feedback;
    const size_t i = entry.line;
    const Message message = stream_.At(i);
    if (condition.begins_kept && i < stream_.size() * kKeptFifths / 5) {
      model_.Learn(message, LabelOf(entry.is_spam), Evidence::kArchive);
      return;
    }
    const bool is_reply = IsReply(feedback, model_.taught());
    if (entry.classify && (!entry.train || is_reply)) {
      const pipeline::Score score = model_.Classify(message);
      Note(i, score);
      const auto verdict = pipeline::Thresholds().Decide(score.probability);
      const bool is_slip = condition.slips && entry.taught_spam != entry.is_spam;
      if (!entry.train || !(is_slip || pipeline::Wants(feedback, verdict, entry.is_spam))) return;
    }
    const pipeline::Score before =
        model_.Learn(message, LabelOf(entry.taught_spam), EvidenceInReplay(feedback, is_reply));
    if (entry.classify && !is_reply) Note(i, before);
  }

  void Note(size_t message, const pipeline::Score& score) {
    outcomes_.push_back({.judged_spam = stream_.IsSpam(message),
                         .called_spam = false,
                         .score = score.margin,
                         .probability = score.probability});
  }

  const CachedStream& stream_;
  MemoryModel model_;
  std::vector<eval::Outcome> outcomes_;
};

}  // namespace

std::span<const Condition> AllConditions() { return kConditions; }

Quality Measure(const CachedStream& stream, const Condition& condition, const Teaching& teaching,
                uint64_t seed) {
  Run run(stream, teaching, seed);
  if (condition.first_class) {
    run.TeachClassByClass(*condition.first_class);
  } else {
    Condition drawn = condition;
    drawn.stress.seed = seed;
    run.Replay(drawn);
  }
  return run.Result();
}

}  // namespace thresher::bench
