// The messages of several paths, one by one: what cannot be read, or is no mail, is reported and counted, and
// the next one follows. What a folder has under names that begin with a dot is reported, but not counted.
//
// Called by the commands that read messages, and by fit/folder_model.cc. Thread-safety: one thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/input/complaints.h"
#include "pipeline/input/source.h"

namespace thresher::pipeline {

// How the messages of an InputReader are found.
struct InputForm {
  Format format = Format::kAuto;
  bool any_bytes = false;  // what is no mail is a message, too
  bool verbose = false;    // report all that is left out, not only the first few for each reason
  // Ends the report of what is no mail: the flags that take it.
  std::string_view otherwise = "--document takes it for a text, --insist for mail";
};

// What became of the messages of some paths.
struct InputTally {
  size_t visited = 0;
  size_t unreadable = 0;
  size_t no_mail = 0;  // skipped, because it is no message

  InputTally& operator+=(const InputTally& other);
  // Nothing was found, and nothing reported.
  bool IsEmpty() const { return visited == 0 && unreadable == 0 && no_mail == 0; }
  // 66 if something could not be read, 65 if there was nothing but what is no mail, else 0.
  int ExitCode() const;
};

class InputReader {
 public:
  // `paths` must outlive it. Of many errors with the same reason `complain` gets the first few, and in the
  // end the number of the others. `left_out`: what OpenSource is not to read.
  InputReader(InputForm form, std::span<const std::string> paths, Complaints::Complain complain,
              std::vector<std::string> left_out = {});

  // Whether there was another message.
  bool Next(RawMessage* message);
  const InputTally& tally() const { return tally_; }

 private:
  bool OpenNext();
  void ReportDotNames();

  InputForm form_;
  std::span<const std::string> paths_;
  std::span<const std::string> left_;  // of them; the one before it is being read
  std::vector<std::string> left_out_;
  Complaints complaints_;
  std::unique_ptr<MessageSource> source_;
  InputTally tally_;
};

}  // namespace thresher::pipeline
