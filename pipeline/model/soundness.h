// What a stored row or example must be for a model to use it: for checks and for what comes from elsewhere.
//
// Each function says what is wrong, or nothing. Used wherever a model takes what it has not made itself.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "learners/learner.h"
#include "pipeline/model/globals.h"
#include "storage/example_log.h"
#include "tokenizer/feature_decoder.h"
#include "tokenizer/features.h"
#include "tokenizer/id_space.h"

namespace thresher::pipeline {

// REQUIRES: sound globals.
std::optional<std::string> WrongWithRow(std::string_view row, const learners::Learner& learner,
                                        const ModelGlobals& globals);

// Of the text of feature `id`; empty where there is none. `row` is a sound row.
std::optional<std::string> WrongWithText(uint64_t id, std::string_view text, std::string_view row,
                                         const learners::Learner& learner, const ModelGlobals& globals,
                                         const tokenizer::IdSpace& id_space);

// Which tokens have a text: all, or, as in examples of format 5 and earlier, those that were new to the model
// when the message was logged.
enum class TextsOfTokens { kAll, kSome };

// Of features that are to be taught, or were: each feature once, each text that of its id, each value one
// that a tokenizer makes.
std::optional<std::string> WrongWithFeatures(const tokenizer::Features& features,
                                             const tokenizer::IdSpace& id_space, TextsOfTokens texts);

// `decoder` is that of the model.
std::optional<std::string> WrongWithExample(const storage::Example& example,
                                            const tokenizer::FeatureDecoder& decoder);

}  // namespace thresher::pipeline
