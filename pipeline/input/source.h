// Messages one by one, from wherever a user keeps them: files, folders, Maildirs, mboxes, standard input.
//
// Called by the commands that read messages (learn, classify, …); replay reads its index's files itself, by
// file_reader.h. Memory is bounded by one message whatever the source. Thread-safety: a source serves one
// thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "pipeline/error.h"
#include "pipeline/input/file_reader.h"

namespace thresher::pipeline {

struct RawMessage {
  std::string name;     // the path; "PATH#3" for the third message of an mbox that holds several
  std::string bytes;    // as they stand in the file, decompressed; of an mbox with its From line
  bool is_cut = false;  // longer than the limit, which is what `bytes` holds
};

enum class Format {
  kAuto,     // a file that begins with a From line is an mbox, any other one message; an empty file is none
  kMessage,  // each file is one message or document, whatever is in it
  kMbox,     // each file is an mbox
};

class MessageSource {
 public:
  virtual ~MessageSource() = default;

  // Whether there was one more message. An error concerns one file (kNoInput: it cannot be opened, e.g.
  // because it vanished since its folder was listed; kData: it is damaged) and the next call goes on behind
  // it, so that the caller chooses whether to go on. Messages before the damage have been delivered.
  virtual Result<bool> Next(RawMessage* message) = 0;
};

// `path`: a file, "-" for standard input, or a folder, which is read with its subfolders, sorted by name,
// without names that begin with a dot. Of a folder with a cur and a new (a Maildir) only the subfolders are
// read, and never tmp. An error if there is nothing at `path`.
Result<std::unique_ptr<MessageSource>> OpenSource(const std::string& path, Format format,
                                                  size_t message_limit = kMessageLimit);

}  // namespace thresher::pipeline
