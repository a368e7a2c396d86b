// What `thresher doubt` prints: taught messages whose label the others contradict, for people, as JSON, or as
// lines for `feedback --list`.
//
// Called by doubt.cc. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "pipeline/model/evidence.h"
#include "pipeline/settings/settings.h"

namespace thresher::pipeline {

struct DoubtedCase {
  struct Token {
    std::string text;
    double contribution;
  };

  Label taught;
  double margin;  // by a model that was not taught it
  int64_t time_us;
  std::string user;  // empty: nobody in particular
  std::string message_id;
  std::string digest;
  std::vector<Token> against;  // the label; greatest contribution first
};

struct DoubtedCases {
  uint64_t messages = 0;              // judged
  uint64_t doubted = 0;               // those of settings.user, if one is named
  uint64_t expired = 0;               // examples that nobody can judge any more
  uint64_t of_others = 0;             // doubted, but left out of a list that is of no user
  std::set<std::string> others = {};  // whose these are
  std::vector<DoubtedCase> listed = {};
};

// `settings` are those of the model, which the commands that correct a label name.
void PrintDoubts(const DoubtedCases& cases, const Settings& settings);
void PrintDoubtsAsJson(const DoubtedCases& cases, const Settings& settings);
// Lines `spam|ham <MESSAGE-ID> [KEY]`; what is left out is said on standard error.
void PrintDoubtList(const DoubtedCases& cases);

}  // namespace thresher::pipeline
