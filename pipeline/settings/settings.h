// All that a user can set, in the configuration file and on the command line, and where each value comes
// from.
//
// Read by every command before it does anything else. One table (table.cc) lists all settings with their
// ranges and help; this header has their defaults. Thread-safety: a plain value.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "learners/registry.h"
#include "learners/steps/rehearsal_options.h"
#include "pipeline/error.h"
#include "pipeline/settings/cluster_settings.h"
#include "pipeline/settings/serve_settings.h"
#include "pipeline/settings/spool_limits.h"
#include "pipeline/verdict.h"
#include "tokenizer/options.h"

namespace thresher::pipeline {

// $XDG_DATA_HOME/thresher, else ~/.local/share/thresher.
std::string DefaultStorePath();

// Values of log.holds.
inline constexpr std::string_view kLogOfFeatures = "features";
inline constexpr std::string_view kLogOfMessages = "message";

struct Settings {
  std::string preset = "default";

  std::string store_path = DefaultStorePath();
  std::string model = "default";
  std::string user;                 // empty: no particular user
  std::string durability = "auto";  // auto, sync, group, os
  double wait_seconds = 30;
  uint64_t checkpoint_every = 10000;
  uint64_t memory_bytes = uint64_t{1} << 30;
  double log_keep_days = 90;
  uint64_t log_keep_bytes = uint64_t{2} << 30;
  std::string log_holds{kLogOfFeatures};

  std::string learner = "adaptive-ftrl";
  learners::OptionValues learner_options;  // only those that were set, directly or by the preset
  learners::RehearsalOptions rehearsal;
  tokenizer::Options features;
  Thresholds thresholds;

  std::string filter_on_error = "pass";  // pass, tempfail
  double filter_timeout_seconds = 20;
  double filter_self_train = 0;  // 0: filter teaches nothing
  struct Lists {
    std::string file;         // empty: none
    std::string authserv_id;  // empty: a From is believed
  } lists;
  bool spool_enabled = true;
  SpoolLimits spool_limits;
  ServeSettings serve;
  MilterSettings milter;
  ClusterSettings cluster;
  uint64_t replay_threads = 0;  // 0: one per core
  size_t ThreadsToUse() const;

  // "KEY=VALUE". Lists are separated by commas; the learner's options are learner.options.NAME. Setting
  // another learner drops the options of the one before. A setting that is named wins over the value of a
  // preset, in any order.
  Result<void> Assign(std::string_view assignment);
  // All of these, the learner before its options.
  Result<void> AssignAll(std::span<const std::string> assignments);

  // Checks what the table cannot: the names of the model and the user, marks, filter.self_train; and what
  // concerns more than one setting: the order of the thresholds, whether the learner accepts its options.
  // Options on a command line that does not name a learner are for the learner that the model has: they are
  // checked when a model is opened or made.
  Result<void> Validate() const;
  // Whether a new model's learner accepts all its options. Validate leaves out the ones said above.
  Result<void> ValidateNewLearner() const;

  // Whether the command line set `key`, directly or by a preset. The learner and features of a configuration
  // file apply to new models; those of the command line must fit the model that is used.
  bool IsOnCommandLine(std::string_view key) const;

  // Whether the configuration file or the command line set `key` or any setting below it ("learner":
  // learner.name, …), directly or by a preset.
  bool IsNamed(std::string_view key) const;

  struct Named {
    std::string text;
    std::string place;  // "FILE:LINE", or the assignment
    bool by_preset = false;
    bool in_file = false;  // or for new models alone; else on the command line
  };
  std::map<std::string, Named, std::less<>> named;  // by key
};

// Loads the configuration file `path`. If `path` is empty, loads the first file that exists of
// $XDG_CONFIG_HOME/thresher/config.yaml (else ~/.config/…) and /etc/thresher/config.yaml; if none exists,
// returns the defaults. Does not validate, because the command line may still change values. An error is
// "FILE:LINE: what was expected", kConfig.
Result<Settings> LoadSettings(const std::string& path);

// A complete configuration file with every setting and its help; loading it gives `settings`. A setting that
// was set stands with the place that set it. One with its default is commented out, so that a copy of the
// file does not fix today's defaults.
void PrintSettings(const Settings& settings, std::ostream& out);

// The settings under `features` as one line. A model records them, because they determine its features.
std::string FeatureSettingsText(const tokenizer::Options& options);
// Sets in `*options` what FeatureSettingsText wrote; does not change its limits. The error says what is wrong
// with `text`.
Result<void> RestoreFeatureSettings(std::string_view text, tokenizer::Options* options);

// The same for the settings under `limits`, which a model records if its log holds messages.
std::string LimitSettingsText(const tokenizer::Options& options);
Result<void> RestoreLimitSettings(std::string_view text, tokenizer::Options* options);

}  // namespace thresher::pipeline
