// A TREC corpus for tests of replays.
#pragma once

#include <fmt/format.h>

#include <string>

#include "tests/pipeline/messages.h"
#include "tests/pipeline/program.h"

namespace thresher::pipeline {

// Writes `pairs` spam and as many ham to the folder data, and their index, which it returns, to the folder
// full. The spam is the user ann's and the ham bob's if `with_users`.
inline std::string WriteSmallCorpus(const TestDirectory& directory, int pairs, bool with_users = false) {
  std::string index;
  for (int i = 0; i < pairs; ++i) {
    directory.Write(fmt::format("data/s{}", i), SpamMessage(i));
    directory.Write(fmt::format("data/h{}", i), HamMessage(i));
    index += fmt::format("spam ../data/s{0}{1}\nham ../data/h{0}{2}\n", i, with_users ? " ann" : "",
                         with_users ? " bob" : "");
  }
  return directory.Write("full/index", index);
}

}  // namespace thresher::pipeline
