// The messages that one of two filters got right and the other wrong, each with the command that explains the
// wrong verdict.
//
// Called by eval_comparison. Thread-safety: pure functions, except that PrintText writes to standard output.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace thresher::pipeline {

// Where `replay --store` kept the model that wrote a result file.
struct ModelPlace {
  std::string store;
  std::string model;  // empty: the default name
};

struct ExplainedMessage {
  std::string file;
  std::string user;  // empty: none
  bool is_document = false;
};

struct Disagreement {
  std::string_view path;               // as in the result lines
  std::string file;                    // that path, within the index's folder
  std::optional<std::string> explain;  // a command; nothing if the model was not stored
  bool is_spam;
  bool first_is_right;
  double first_score;
  double second_score;
};

// The file of a message whose path is relative to `folder`; an empty folder is the current one.
std::string MessageFile(const std::string& folder, std::string_view path);

// The command, quoted for a shell, that explains the message with `model`. Nothing without a model: the live
// model of the user has learned other messages.
std::optional<std::string> ExplainCommand(const std::optional<ModelPlace>& model,
                                          const ExplainedMessage& message);

void PrintText(std::span<const Disagreement> disagreements);
nlohmann::ordered_json ToJson(std::span<const Disagreement> disagreements);

}  // namespace thresher::pipeline
