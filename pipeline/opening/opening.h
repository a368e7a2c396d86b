// From settings to an open model: where it is, how it is opened, and whether it is the one that settings ask
// for.
//
// Called by every command that needs a model. All functions that open one refuse what ReadCheckedIdentity
// refuses. Thread-safety: pure functions but for the disk.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "pipeline/error.h"
#include "pipeline/model/identity.h"
#include "pipeline/model/inspection.h"
#include "pipeline/model/model.h"
#include "pipeline/model/scorer.h"
#include "pipeline/opening/agreement.h"
#include "pipeline/settings/settings.h"
#include "storage/database.h"

namespace thresher::pipeline {

// The directory of the model that `settings` name.
std::filesystem::path ModelDirectory(const Settings& settings);

// kConfig if `store`, in which a model is to be, is a file or a model itself.
Result<void> CheckIsStore(const std::filesystem::path& store);

// kNoInput if there is no model in `dir`; other errors if that cannot be told.
Result<void> CheckModelExists(const std::filesystem::path& dir);

// How a model is opened for learning.
struct WriteAccess {
  storage::Durability durability = storage::Durability::kSync;
  std::chrono::milliseconds wait{0};  // for another writer
  storage::OnWait on_wait = {};       // told if it takes a while
  Model::Options model;
  // What a new model records; nothing: as the settings say.
  std::optional<storage::Meta> new_meta = {};
  // The text kFollows of a model that follows a log; such a model is not opened without it.
  std::string follows = {};
};
// As `learn` and `feedback` open it: their examples are acknowledged together, by the checkpoint at the end.
WriteAccess TeachingAccess(const Settings& settings);
// As `replay` opens it: the log limits of live models do not apply, unless the command line sets them.
WriteAccess ReplayAccess(const Settings& settings);

// Whether who follows the log of the text `follows` (empty: none) may write to the model in `dir`, which
// records `meta`. kConfig: it follows another log, or none; or the log holds messages, and this program
// tokenises them with other libraries.
Result<void> CheckFollows(const storage::Meta& meta, const std::string& follows,
                          const std::filesystem::path& dir);

// Opens the model in `dir` as its only writer and recovers it. A model that does not exist is made as
// `settings` say, or is an error (kNoInput).
Result<std::unique_ptr<Model>> OpenOrCreateModel(const std::filesystem::path& dir, const Settings& settings,
                                                 const WriteAccess& access);
Result<std::unique_ptr<Model>> OpenModel(const std::filesystem::path& dir, const Settings& settings,
                                         const WriteAccess& access, Remake remake = Remake::kNo);

// What follows opens a model as of its last checkpoint, or of this moment of its log; never waits, never
// writes.

Result<Inspection> OpenForReading(const std::filesystem::path& dir, const Settings& settings);
Result<std::unique_ptr<Scorer>> OpenScorer(const std::filesystem::path& dir, const Settings& settings);
// By the score image; null if there is none that can be used. REQUIRES: there is a model in `dir`.
Result<std::unique_ptr<Scorer>> OpenImageScorer(const std::filesystem::path& dir, const Settings& settings);

// For what reads rows and examples as they are stored.
struct StoredModel {
  std::unique_ptr<storage::Database> database;
  ModelIdentity identity;
};
Result<StoredModel> OpenStored(const std::filesystem::path& dir, const Settings& settings);

}  // namespace thresher::pipeline
