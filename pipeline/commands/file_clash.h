// Whether a command would write into a file that it reads, or two of its outputs into one file.
//
// Called by the command line before the body of a command runs. Thread-safety: looks at files; any thread.
#pragma once

#include <span>
#include <string>

namespace thresher::pipeline {

// A file or folder as the command line names it.
struct NamedFile {
  std::string flag;       // or argument; "the model"
  std::string path;       // "-": standard input of one that is read, standard output of one that is written
  bool is_whole = false;  // written as a WholeFile is: by way of a file beside it
};

// What is wrong, with the flag at fault; empty if nothing is. What is written on the way to a whole file
// counts as written, too. Files are compared as what they are, not by name: also through links, with standard
// output, and with what lies, or would lie, in folders that are read. Standard input can be read once.
// Terminals and /dev/null may be named twice, and what is no regular file may be read and written. Files that
// an index or a setting names are not looked at, but for those of the model.
std::string FindClash(std::span<const NamedFile> read, std::span<const NamedFile> written);

}  // namespace thresher::pipeline
