// What a folder walk passes over because its name begins with a dot, and the note that says so: mail lies in
// such folders, too (.Archive of a Maildir), and nobody should believe that it was read.
//
// Collected by folder_walk.cc; the note is made by input_reader.cc, and so the whole is used by the commands
// that read folders. Thread-safety: plain values.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/error.h"

namespace thresher::pipeline {

struct DotName {
  std::string path;  // as the walk writes it
  bool is_folder = false;
};

// Whether mail programs, systems or editors keep something else than mail under this name.
bool IsKnownNoMail(std::string_view dot_name);

// The note about the names that were found in `folder`; none if there is nothing to say. Those are left out
// that lie at one of the places `named` (PlaceOf), or around one: whoever names them knows. With `all`, the
// note has all names, otherwise the first few. All notes have the same reason.
std::optional<Error> DotNamesNotRead(const std::string& folder, std::vector<DotName> names,
                                     const std::vector<std::string>& named, bool all);

}  // namespace thresher::pipeline
