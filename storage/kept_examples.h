// Copies of examples that stay readable after they expire, because the caller still needs them.
//
// A checkpoint makes the copies in the step in which the examples expire, and removes those that are needed
// no longer. They are entries of the family `meta`. Used by ExampleLog, NewModel, checkpoints and walk.cc.
// Thread-safety: as Database.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "storage/database_impl.h"
#include "storage/error.h"
#include "storage/model_meta.h"

namespace thresher::storage {

// The numbers of the examples that have a copy, ascending.
Result<std::vector<uint64_t>> ReadKeptSeqs(const DatabaseImpl& impl);

// The copy of an example; nothing if there is none.
Result<std::optional<std::string>> ReadKept(const DatabaseImpl& impl, uint64_t seq);

// Adds to `changes` what makes the copies those of `needed` (ascending), as far as these examples exist.
Result<void> KeepExamples(const DatabaseImpl& impl, const std::vector<uint64_t>& needed,
                          MetaChanges* changes);

// Key and value of the copy of an example, and of the list of all copies.
std::string KeptKey(uint64_t seq);
std::string EncodeKeptSeqs(const std::vector<uint64_t>& seqs);

}  // namespace thresher::storage
