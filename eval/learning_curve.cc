#include "eval/learning_curve.h"

#include <algorithm>

#include "eval/probability_figures.h"
#include "eval/roc.h"
#include "eval/running_area.h"

namespace thresher::eval {
namespace {

uint64_t& CellOf(const Outcome& outcome, ContingencyTable& table) {
  return outcome.judged_spam ? (outcome.called_spam ? table.spam_as_spam : table.spam_as_ham)
                             : (outcome.called_spam ? table.ham_as_spam : table.ham_as_ham);
}

// The figures of a changing set of messages.
class RunningFigures {
 public:
  explicit RunningFigures(size_t levels) : area_(levels) {}

  void Add(const Outcome& outcome, uint32_t level) {
    ++CellOf(outcome, table_);
    area_.Add(level, outcome.judged_spam);
    if (outcome.probability == Outcome::kUnknown) return;
    ++with_probability_;
    loss_ += Loss(outcome);
  }
  void Remove(const Outcome& outcome, uint32_t level) {
    --CellOf(outcome, table_);
    area_.Remove(level, outcome.judged_spam);
    if (outcome.probability == Outcome::kUnknown) return;
    --with_probability_;
    loss_ -= Loss(outcome);
  }
  PartFigures Now() const {
    PartFigures now{.table = table_, .roc_area_above = area_.Area(), .log_loss = std::nullopt};
    if (with_probability_ > 0)
      now.log_loss = static_cast<double>(std::max(0.0L, loss_) / static_cast<long double>(with_probability_));
    return now;
  }

 private:
  ContingencyTable table_;
  RunningArea area_;
  uint64_t with_probability_ = 0;
  long double loss_ = 0;  // long: additions and subtractions accumulate rounding errors
};

PartFigures FiguresOf(std::span<const Outcome> outcomes, Ties ties) {
  PartFigures figures;
  figures.table = Tabulate(outcomes);
  figures.roc_area_above = RocAreaAbove(Rank(outcomes, ties));
  if (const auto judged = JudgeProbabilities(outcomes)) figures.log_loss = judged->log_loss;
  return figures;
}

}  // namespace

std::vector<CurvePoint> LearningCurve(std::span<const Outcome> outcomes, std::span<const uint64_t> ends,
                                      uint64_t window, Ties ties) {
  std::vector<uint32_t> levels;
  const size_t level_count = Rank(outcomes, ties, &levels).levels.size();
  RunningFigures inside(level_count);
  RunningFigures so_far(level_count);
  std::vector<CurvePoint> curve;
  uint64_t begin = 0;  // of the window
  uint64_t here = 0;
  for (const uint64_t end : ends) {
    const uint64_t next_begin = window == 0 ? here : end - std::min(end, window);
    for (; here < end; ++here) {
      inside.Add(outcomes[here], levels[here]);
      so_far.Add(outcomes[here], levels[here]);
    }
    for (; begin < next_begin; ++begin) inside.Remove(outcomes[begin], levels[begin]);
    curve.push_back({.messages = end, .window = inside.Now(), .so_far = so_far.Now()});
  }
  return curve;
}

std::vector<uint64_t> EvenEnds(uint64_t messages, uint64_t points) {
  points = std::min(messages, points);
  std::vector<uint64_t> ends;
  // point·messages/points, rounded down, without that product, which may be too large.
  for (uint64_t point = 1; point <= points; ++point)
    ends.push_back(messages / points * point + messages % points * point / points);
  return ends;
}

std::vector<GroupFigures> FiguresBy(const WordColumn& words, std::span<const Outcome> outcomes, Ties ties) {
  std::vector<std::vector<Outcome>> groups(words.words().size());
  for (size_t i = 0; i < outcomes.size(); ++i) groups[words[i]].push_back(outcomes[i]);
  std::vector<GroupFigures> figures;
  for (size_t word = 0; word < groups.size(); ++word) {
    if (!groups[word].empty()) figures.push_back({words.words()[word], FiguresOf(groups[word], ties)});
  }
  std::stable_sort(figures.begin(), figures.end(), [](const GroupFigures& a, const GroupFigures& b) {
    return a.figures.messages() > b.figures.messages();
  });
  return figures;
}

}  // namespace thresher::eval
