// Models of several learners, taught with mail in which every third message is spam.
//
// Used by the tests of models. Thread-safety: none.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>

#include "pipeline/model/inspection.h"
#include "pipeline/model/model.h"
#include "pipeline/opening/opening.h"
#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {

// By text: the ids differ between models, because their seeds differ.
using Weights = std::map<std::string, std::tuple<double, uint32_t, uint32_t>>;

inline Weights WeightsOf(const Model& model) {
  const Inspection inspection = model.Inspect();
  Weights weights;
  const auto vocabulary = inspection.vocabulary().All();
  EXPECT_TRUE(vocabulary.has_value());
  for (const VocabularyEntry& entry : *vocabulary) {
    const auto texts = inspection.vocabulary().Texts(std::span(&entry.id, 1));
    EXPECT_TRUE(texts.has_value()) << texts.error().message;
    weights[texts->front()] = {entry.weight, entry.counts.ham, entry.counts.spam};
  }
  return weights;
}

inline Label LabelNumber(int i) { return i % 3 == 0 ? Label::kSpam : Label::kHam; }
// Message numbers in an order with runs of ten of one class. In long runs earlier examples are rehearsed.
inline int InRuns(int i) { return i / 10 % 2 == 0 ? 3 * i : 3 * i + 1; }

// The parameter is the name of a learner.
class ModelFixture : public testing::TestWithParam<const char*> {
 protected:
  ModelFixture() { settings_.learner = GetParam(); }

  std::unique_ptr<Model> Open(const std::string& name, uint64_t checkpoint_every = 1000000) {
    WriteAccess access;
    access.durability = storage::Durability::kOs;
    access.model.checkpoint.every = checkpoint_every;
    access.model.keep = keep_;
    auto model = OpenOrCreateModel(directory_ / name, settings_, access);
    EXPECT_TRUE(model.has_value()) << model.error().message;
    return *std::move(model);
  }
  static Score Learn(Model& model, int i, Evidence evidence = Evidence::kStream) {
    return LearnAs(model, i, LabelNumber(i), evidence);
  }
  static Score LearnAs(Model& model, int i, Label label, Evidence evidence = Evidence::kStream,
                       int turns = 1) {
    const auto learned = model.Learn(FeaturesOf(model, i), {"message" + std::to_string(i), ""},
                                     {label, evidence, static_cast<uint8_t>(turns)});
    EXPECT_TRUE(learned.has_value()) << learned.error().message;
    return learned->before;
  }
  // Of a Model or an Inspection.
  template <class Source>
  static Score Classify(Source& source, int i) {
    return source.Classify(FeaturesOf(source, i)).value();
  }
  template <class Source>
  static tokenizer::Features FeaturesOf(const Source& source, int i) {
    tokenizer::Features features;
    source.identity().MakeTokenizer().Tokenize(MessageNumber(i), tokenizer::Kind::kMail, &features);
    return features;
  }

  TestDirectory directory_;
  Settings settings_;
  LogLimits keep_;
};

inline auto SeveralLearners() {
  return testing::Values("ftrl", "lazy-sgd", "lazy-fobos", "l1-ball", "eg", "smidas");
}
inline std::string NameOfCase(const testing::TestParamInfo<const char*>& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace thresher::pipeline
