// How far a model that is closed had applied its log: known without opening it, from the file DIR/followed.
//
// The file names the note of the writer that closed the model (storage/log_note.h), so that it counts for
// nothing once somebody has opened it. Used by the daemon. Thread-safety: any threads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace thresher::pipeline {

// REQUIRES: the model has just been closed in order. A failure leaves no file: the model is opened next time.
void WriteClosedPosition(const std::filesystem::path& dir, uint64_t position);
// Nothing if it is not known.
std::optional<uint64_t> ReadClosedPosition(const std::filesystem::path& dir);

}  // namespace thresher::pipeline
