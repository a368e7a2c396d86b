// Says why files are left out: names the first few for each reason, and counts the others.
//
// Used by input_reader.h, and by fit for all its folders together. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "pipeline/error.h"

namespace thresher::pipeline {

class Complaints {
 public:
  using Complain = std::function<void(const Error&)>;
  // `more` ends the line with the number of the others; it must outlive this. With `all`, all are named.
  explicit Complaints(Complain complain, std::string_view more = "", bool all = false)
      : complain_(std::move(complain)), more_(more), all_(all) {}

  // Errors are counted by their reason.
  void Add(const Error& error);
  // Says how many were not named, and starts to count anew.
  void End();

 private:
  Complain complain_;
  std::string_view more_;
  bool all_;
  std::map<std::string, size_t> counts_;
};

}  // namespace thresher::pipeline
