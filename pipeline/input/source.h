// Messages one by one, from files, folders, Maildirs, mboxes or standard input.
//
// Called by the commands that read messages (learn, classify, …); replay reads the files of its index with
// file_reader.h. Keeps at most one message in memory. Thread-safety: one thread per source.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/error.h"
#include "pipeline/input/dot_names.h"
#include "pipeline/input/file_reader.h"

namespace thresher::pipeline {

struct RawMessage {
  std::string name;     // the path; "PATH#3" for the third message of an mbox that holds several
  std::string bytes;    // as in the file, decompressed; of an mbox with the From line, but unquoted ">From "
  bool is_cut = false;  // longer than the limit; `bytes` has the first part
  // Begins with "From " and has other lines that do, but its first line is no From line that we know: it was
  // taken for one message.
  bool may_be_mbox = false;
};

enum class Format {
  kAuto,     // a file that starts with a From line is an mbox, any other one message; an empty file has none
  kMessage,  // each file is one message or document, whatever it contains
  kMbox,     // each file is an mbox
};

class MessageSource {
 public:
  virtual ~MessageSource() = default;

  // Whether there was another message. An error concerns one file (kNoInput: it cannot be opened, e.g.
  // because it was removed after its folder was listed; kData: it is damaged). The next call continues after
  // that file, if the caller wants to. Messages before the damage have been delivered.
  virtual Result<bool> Next(RawMessage* message) = 0;
  // At the end of a folder: what was not read because its name begins with a dot.
  virtual std::vector<DotName> DotNames() const { return {}; }
};

// `path`: a file, "-" for standard input, or a folder. A folder is read with its subfolders, sorted by name;
// names that start with a dot are skipped. In a folder that contains cur and new (a Maildir) only the
// subfolders are read, except tmp. Symbolic links in a folder are not followed, which is an error after its
// last message; `path` itself may be one. Nor is what lies at a path of `left_out` (PlaceOf) read. An error
// if `path` does not exist.
Result<std::unique_ptr<MessageSource>> OpenSource(const std::string& path, Format format,
                                                  size_t message_limit = kMessageLimit,
                                                  const std::vector<std::string>& left_out = {});

}  // namespace thresher::pipeline
