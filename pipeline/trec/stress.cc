#include "pipeline/trec/stress.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace thresher::pipeline {
namespace {

// Numbers in [0, 1), the same on every platform.
class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  bool Shows(double share) { return static_cast<double>(random_() >> 11) * 0x1p-53 < share; }

 private:
  std::mt19937_64 random_;
};

// The shares of ham and spam to keep so that the share of spam is `wanted` and most messages stay.
std::pair<double, double> KeptShares(double ham, double spam, double wanted) {
  const double spam_for_all_ham = wanted < 1 ? ham * wanted / (1 - wanted) : spam + 1;
  if (spam_for_all_ham <= spam) return {1, spam > 0 ? spam_for_all_ham / spam : 1};
  return {ham > 0 ? spam * (1 - wanted) / wanted / ham : 1, 1};
}

bool TeachesWithItsVerdict(const TrecEntry& entry) { return entry.classify && entry.train; }

// Whether the entry teaches a message that is classified: now, or as late feedback on it.
bool IsFeedback(const TrecEntry& entry) { return entry.train && (entry.classify || entry.answers != 0); }

// Late feedback comes and goes with the message that it answers.
void ShiftPrior(double wanted, Dice& dice, std::vector<TrecEntry>* entries) {
  const auto middle = entries->begin() + static_cast<std::ptrdiff_t>(entries->size() / 2);
  const auto is_message = [](const TrecEntry& entry) { return entry.answers == 0; };
  const auto spam = std::count_if(middle, entries->end(),
                                  [&](const TrecEntry& entry) { return is_message(entry) && entry.is_spam; });
  const auto ham = std::count_if(middle, entries->end(), is_message) - spam;
  const auto [ham_kept, spam_kept] = KeptShares(static_cast<double>(ham), static_cast<double>(spam), wanted);
  std::unordered_set<size_t> dropped;  // lines
  const auto is_dropped = [&, ham_share = ham_kept, spam_share = spam_kept](const TrecEntry& entry) {
    if (!is_message(entry)) return dropped.contains(entry.answers);
    const bool drops = !dice.Shows(entry.is_spam ? spam_share : ham_share);
    if (drops) dropped.insert(entry.line);
    return drops;
  };
  entries->erase(std::remove_if(middle, entries->end(), is_dropped), entries->end());
}

// The feedback of each entry becomes an entry of its own, `delay` messages later.
std::vector<TrecEntry> Delayed(const std::vector<TrecEntry>& entries, uint64_t delay) {
  std::vector<TrecEntry> delayed;
  const auto teach = [&](const TrecEntry& entry) {
    if (!TeachesWithItsVerdict(entry)) return;
    delayed.push_back(entry);
    delayed.back().classify = false;
    delayed.back().answers = entry.line;
  };
  for (size_t i = 0; i < entries.size(); ++i) {
    delayed.push_back(entries[i]);
    if (entries[i].classify) delayed.back().train = false;
    if (i >= delay) teach(entries[i - delay]);
  }
  for (size_t i = entries.size() - std::min(entries.size(), delay); i < entries.size(); ++i)
    teach(entries[i]);
  return delayed;
}

}  // namespace

Result<void> CheckStress(const TrecIndex& index, const Stress& stress) {
  const auto refused = [&](std::string_view option, std::string_view reason) {
    return tl::unexpected(Error{kUsage, fmt::format("{}: {}: {}", option, index.path, reason)});
  };
  const Stress none;
  if ((stress.flip != none.flip || stress.share != none.share) &&
      std::ranges::none_of(index.entries, IsFeedback)) {
    return refused(stress.flip != none.flip ? "--flip" : "--share",
                   "no message is classified and then taught, so there is no feedback to change");
  }
  if (stress.delay != none.delay && std::ranges::none_of(index.entries, TeachesWithItsVerdict)) {
    return refused("--delay",
                   "no line both classifies and teaches a message (`ham`, `spam`), and what "
                   "teaches by a line of its own stays where it is");
  }
  return {};
}

TrecIndex Stressed(TrecIndex index, const Stress& stress) {
  Dice dice(stress.seed);
  if (stress.late_spam_share) ShiftPrior(*stress.late_spam_share, dice, &index.entries);
  for (TrecEntry& entry : index.entries) {
    if (!IsFeedback(entry)) continue;
    if (dice.Shows(stress.flip)) entry.taught_spam = !entry.taught_spam;
    entry.train = dice.Shows(stress.share);
  }
  // Late feedback that is not given is not even read.
  std::erase_if(index.entries, [](const TrecEntry& entry) { return !entry.classify && !entry.train; });
  if (stress.delay > 0) index.entries = Delayed(index.entries, stress.delay);
  return index;
}

bool Wants(Feedback feedback, Verdict verdict, bool is_spam) {
  switch (feedback) {
    case Feedback::kAll:
      return true;
    case Feedback::kErrors:
      return (verdict == Verdict::kSpam) != is_spam;
    case Feedback::kUnsure:
      return verdict == Verdict::kUnsure;
  }
  return true;
}

}  // namespace thresher::pipeline
