// What a user can set, from configuration file and command line, and where it comes from.
//
// Called by every command before it does anything. All settings stand in one table (table.cc) with
// their ranges and help; their defaults stand here. Thread-safety: a plain value.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>

#include "learners/registry.h"
#include "pipeline/error.h"
#include "pipeline/log_limits.h"
#include "pipeline/spool.h"
#include "pipeline/verdict.h"
#include "tokenizer/options.h"

namespace thresher::pipeline {

// $XDG_DATA_HOME/thresher, else ~/.local/share/thresher.
std::string DefaultStorePath();

struct Settings {
  std::string preset = "default";

  std::string store_path = DefaultStorePath();
  std::string model = "default";
  std::string user;                 // empty: nobody's in particular
  std::string durability = "auto";  // auto, sync, group, os
  double wait_seconds = 30;
  uint64_t checkpoint_every = 10000;
  uint64_t memory_bytes = uint64_t{1} << 30;
  LogLimits log_limits{.days = 90, .bytes = uint64_t{2} << 30};

  std::string learner = "ftrl";
  learners::OptionValues learner_options;  // only those that were named, or by the preset
  tokenizer::Options features;
  Thresholds thresholds;

  std::string filter_on_error = "pass";  // pass, tempfail
  double filter_timeout_seconds = 20;
  bool spool_enabled = true;
  SpoolLimits spool_limits;
  uint64_t replay_threads = 0;  // 0: as many as there are cores
  size_t ThreadsToUse() const;

  // "KEY=VALUE". Lists are separated by commas; the learner's options are learner.options.NAME. Naming
  // another learner drops the options named for the one before. A preset's values stand below what was or
  // will be named, whatever the order.
  Result<void> Assign(std::string_view assignment);

  // What no setting shows by itself: thresholds are in order, the learner takes its options, the model's name
  // is one.
  Result<void> Validate() const;

  // Whether the command line named the setting `key`, itself or by a preset. What a file says of learner and
  // features holds for new models; what the command line says is meant for the model at hand.
  bool IsOnCommandLine(std::string_view key) const;

  // Whether file or command line named the setting `key`, or any below it ("learner": learner.name, …), or a
  // preset that does.
  bool IsNamed(std::string_view key) const;

  struct Named {
    std::string text;
    std::string place;  // "FILE:LINE", or the assignment
    bool by_preset = false;
    bool in_file = false;  // else on the command line
  };
  std::map<std::string, Named, std::less<>> named;  // by key
};

// The settings of the configuration file `path`; if that is empty, of the first there is of
// $XDG_CONFIG_HOME/thresher/config.yaml (else ~/.config/…) and /etc/thresher/config.yaml; if there is none,
// the defaults. Not yet validated, for the command line may have its say. An error is "FILE:LINE: what was
// expected", kConfig.
Result<Settings> LoadSettings(const std::string& path);

// A complete configuration file with every setting and its help; loading it gives `settings`. What was named
// stands with the place that named it; what has its default is commented out: a copy of the file must not
// freeze the defaults of today.
void PrintSettings(const Settings& settings, std::ostream& out);

// The settings under `features`, which a model records because they shape its features, as one line.
std::string FeatureSettingsText(const tokenizer::Options& options);
// Sets in *options what FeatureSettingsText wrote; its limits stay. The error says what is wrong with `text`.
Result<void> RestoreFeatureSettings(std::string_view text, tokenizer::Options* options);

}  // namespace thresher::pipeline
