// Rehearsal in its simplest form, beside which a model is tested.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "learners/registry.h"
#include "learners/steps/array_model.h"
#include "learners/steps/rehearsal_options.h"
#include "pipeline/model/taught.h"
#include "tokenizer/features.h"

namespace thresher::pipeline {

// Rehearses and lets wait as Rehearsal does, but keeps every example, with its features, in a vector, and
// counts all of them each time.
class RehearsingTwin {
 public:
  RehearsingTwin(const std::string& learner, const learners::RehearsalOptions& options)
      : model_(learners::MakeLearner(learner, {}).value(), kWidth), options_(options) {}

  // Returns the margin before it was learned.
  double Learn(const tokenizer::Features& features, learners::Label label,
               Evidence evidence = Evidence::kStream, int turns = 1) {
    const double margin = Score(features);
    taught_.Add(label, evidence);
    if (evidence == Evidence::kArchive && (taught_.ham == 0 || taught_.spam == 0)) {
      examples_.push_back({.features = features, .label = label, .waits = true});
      KeepToBytes(label);
      while (Waiting(label) > options_.memory / 2 ||
             (Waiting(label) > 1 && IsTooMuch(BytesThatWait(label)))) {
        LearnFirstThatWaits(label, learners::Occasion::kAgain);
        KeepToBytes(label);
      }
      return margin;
    }
    const auto other = OtherClass(label);
    const bool is_mixed = Waiting(other) > 0;
    const bool is_alone = !is_mixed && !taught_.CouldBeChance();
    // What was taught alone is no test of the model.
    const bool is_test = is_mixed || taught_.IsFair(evidence);
    const bool is_mistake = evidence == Evidence::kReply && taught_.ham >= 10 && taught_.spam >= 10;
    const bool updated = Step(features, label, margin,
                              is_mistake ? learners::Occasion::Mistake(taught_.EnoughMargin())
                              : is_test  ? learners::Occasion::kNew
                                         : learners::Occasion::kAgain);
    examples_.push_back({features, label, updated || is_alone || is_mixed});
    if (!examples_.back().remembered) return margin;
    KeepToBytes(label);
    std::mt19937_64 draw(examples_.size());
    is_alone ? RehearseOtherClass(label) : Rehearse(draw);
    if (is_mistake && !is_alone) RehearseOtherClass(label);
    for (int i = 0; i < turns && Waiting(other) > 0; ++i) {
      LearnFirstThatWaits(other, learners::Occasion::kNew);
      Rehearse(draw);
    }
    return margin;
  }

 private:
  static constexpr size_t kWidth = 1 << 14;
  struct Example {
    tokenizer::Features features;
    learners::Label label;
    bool remembered = false;
    bool waits = false;
  };

  size_t Waiting(learners::Label label) const {
    return static_cast<size_t>(std::ranges::count_if(
        examples_, [&](const Example& example) { return example.waits && example.label == label; }));
  }
  void LearnFirstThatWaits(learners::Label label, learners::Occasion occasion) {
    Example& first = *std::ranges::find_if(
        examples_, [&](const Example& example) { return example.waits && example.label == label; });
    first.waits = false;
    first.remembered = true;
    Step(first.features, label, Score(first.features), occasion);
  }

  static uint64_t BytesOf(const Example& example) {
    return 16 * example.features.size() + example.features.texts.size();
  }
  uint64_t BytesThatWait(learners::Label label) const {
    uint64_t bytes = 0;
    for (const Example& example : examples_) {
      if (example.waits && example.label == label) bytes += BytesOf(example);
    }
    return bytes;
  }
  bool IsTooMuch(uint64_t bytes) const { return options_.bytes > 0 && bytes > options_.bytes / 2; }
  // The oldest are not remembered any more; one example of the class is left.
  void KeepToBytes(learners::Label label) {
    for (Example& oldest : examples_) {
      const auto remembered = MemoryOf(label);
      uint64_t bytes = BytesThatWait(label);
      for (const Example* example : remembered) bytes += BytesOf(*example);
      if (!IsTooMuch(bytes) || remembered.size() + Waiting(label) == 1) return;
      if (oldest.label == label) oldest.remembered = false;
    }
  }

  std::vector<uint32_t> IndicesOf(const tokenizer::Features& features) {
    std::vector<uint32_t> indices;
    for (const uint64_t id : features.ids)
      indices.push_back(indices_.try_emplace(id, static_cast<uint32_t>(indices_.size())).first->second);
    EXPECT_LE(indices_.size(), kWidth);
    return indices;
  }
  double Score(const tokenizer::Features& features) {
    return model_.Score(IndicesOf(features), features.values);
  }
  bool Step(const tokenizer::Features& features, learners::Label label, double margin,
            learners::Occasion occasion) {
    if (!model_.learner().WouldUpdate(margin, label)) return false;
    return model_.Learn(IndicesOf(features), features.values, label, margin, occasion).outcome ==
           learners::Outcome::kUpdated;
  }
  std::vector<const Example*> MemoryOf(learners::Label label) const {
    std::vector<const Example*> memory;
    for (const Example& example : examples_) {
      if (example.remembered && example.label == label) memory.push_back(&example);
    }
    const size_t most = options_.memory / 2;
    if (memory.size() > most) memory.erase(memory.begin(), memory.end() - static_cast<ptrdiff_t>(most));
    return memory;
  }
  void LearnAgain(const Example& example, bool is_mistrusted) {
    const double margin = Score(example.features);
    if (is_mistrusted && margin * static_cast<double>(example.label) < -options_.mistrust) return;
    Step(example.features, example.label, margin, learners::Occasion::kAgain);
  }
  void Rehearse(std::mt19937_64& draw) {
    for (uint64_t i = 0; i < options_.draws; ++i) {
      const auto label = draw() % 2 == 0 ? learners::Label::kHam : learners::Label::kSpam;
      std::vector<const Example*> memory = MemoryOf(label);
      if (memory.empty()) memory = MemoryOf(OtherClass(label));
      if (memory.empty()) return;
      LearnAgain(*memory[draw() % memory.size()], true);
    }
  }
  void RehearseOtherClass(learners::Label label) {
    const bool other_is_spam = label == learners::Label::kHam;
    const auto memory = MemoryOf(other_is_spam ? learners::Label::kSpam : learners::Label::kHam);
    for (uint64_t i = 0; !memory.empty() && i < 2 * options_.draws; ++i)
      LearnAgain(*memory[next_[other_is_spam ? 1 : 0]++ % memory.size()], false);
  }

  learners::ArrayModel<> model_;
  learners::RehearsalOptions options_;
  TaughtCounts taught_;
  std::vector<Example> examples_;
  std::map<uint64_t, uint32_t> indices_;
  size_t next_[2] = {0, 0};
};

}  // namespace thresher::pipeline
