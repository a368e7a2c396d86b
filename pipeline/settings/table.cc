#include "pipeline/settings/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pipeline/settings/entries.h"
#include "pipeline/settings/model_name.h"
#include "pipeline/settings/presets.h"

namespace thresher::pipeline {
namespace {

using namespace entries;  // NOLINT(google-build-using-namespace): they are one vocabulary

constexpr auto kDurabilities = std::to_array<std::string_view>({"auto", "sync", "group", "os"});
constexpr auto kValueSchemes =
    std::to_array<std::string_view>({"binary", "log_count", "normalised", "frequency", "balanced"});
constexpr auto kLogHolds = std::to_array<std::string_view>({kLogOfFeatures, kLogOfMessages});
constexpr auto kOnError = std::to_array<std::string_view>({"pass", "tempfail"});

// Of learners::kRehearsalOptions, in its order.
constexpr auto kRehearsalKeys =
    std::to_array<Key>({"rehearsal.draws", "rehearsal.memory", "rehearsal.bytes", "rehearsal.mistrust"});

// The path depends on the environment: help and documentation say how.
Setting StorePath() {
  Setting setting = Text(
      "store.path", [](S& s) { return &s.store_path; },
      "Directory of the store, which holds one directory for each model. A leading ~/ stands for the home "
      "directory.");
  setting.is_path = true;
  setting.option.default_value = "$XDG_DATA_HOME/thresher, or else ~/.local/share/thresher";
  return setting;
}

std::vector<std::string_view> LearnerNames() {
  std::vector<std::string_view> names;
  for (const learners::LearnerSpec& learner : learners::AllLearners()) names.push_back(learner.name);
  return names;
}

// A switch for each family of tokens.
std::vector<Setting> TokenFamilies() {
  std::vector<Setting> settings;
  settings.reserve(tokenizer::kTokenFamilies.size());
  for (const tokenizer::TokenFamily& family : tokenizer::kTokenFamilies) {
    settings.push_back(Switch(
        family.setting, [enabled = family.enabled](S& s) { return &(s.features.*enabled); }, family.help));
  }
  return settings;
}

std::vector<Setting> RehearsalSettings() {
  static const std::array<Setting::Field, kRehearsalKeys.size()> kFields = {
      Setting::FieldOf<uint64_t>([](S& s) { return &s.rehearsal.draws; }),
      Setting::FieldOf<uint64_t>([](S& s) { return &s.rehearsal.memory; }),
      Setting::FieldOf<uint64_t>([](S& s) { return &s.rehearsal.bytes; }),
      Setting::FieldOf<double>([](S& s) { return &s.rehearsal.mistrust; })};
  std::vector<Setting> settings;
  for (size_t i = 0; i < kFields.size(); ++i) {
    schema::OptionSpec option = learners::kRehearsalOptions[i];
    option.name = kRehearsalKeys[i];
    option.default_value = {};  // the field's
    settings.push_back({option, kFields[i]});
  }
  return settings;
}

// One setting is one entry. The first sentence of the help is also the help of a flag for it.
std::vector<Setting> MakeTable() {
  static const std::vector<std::string_view> kPresetNames = PresetNames();
  static const std::vector<std::string_view> kLearnerNames = LearnerNames();
  static const std::string kModelHelp = fmt::format("Name of the model in the store: {}.", ModelNameRule());
  std::vector<Setting> table = {
      Word(
          kPresetKey, [](S& s) { return &s.preset; }, kPresetNames,
          "Values for several settings at once. They replace the defaults; a setting that is given itself "
          "overrides the preset. In a configuration file it is for new models; thresher rebuild --preset "
          "NAME "
          "makes an existing one again by it."),

      StorePath(),
      Text(
          "store.model", [](S& s) { return &s.model; }, kModelHelp),
      MaybeEmptyText(
          "store.user", [](S& s) { return &s.user; },
          "The user whose mail it is, if one model serves many users. Each token of the message then counts "
          "twice: as a token of all users and as a token of this user, each with its own weight. Empty: no "
          "particular user. At most 64 bytes, without slashes, ASCII spaces and control characters."),
      Word(
          "store.durability", [](S& s) { return &s.durability; }, kDurabilities,
          "When a trained example counts as saved. sync: when it is on disk. group: when the command ends, "
          "which writes all its examples to disk at once. os: when the operating system has it; a crash of "
          "the machine may lose the last ones. auto: os for replay, group for all others."),
      Number(
          "store.wait_seconds", [](S& s) { return &s.wait_seconds; }, {0, kAWeek},
          "Seconds to wait while another program writes to the model."),
      Whole(
          "store.checkpoint_every", [](S& s) { return &s.checkpoint_every; }, {1, kMany},
          "Number of examples between two checkpoints, which write the changed weights to disk. After a "
          "crash, the examples since the last checkpoint are read from the log and trained again."),
      Whole(
          "store.memory_bytes", [](S& s) { return &s.memory_bytes; }, {0, kManyBytes},
          "Memory for the weights during a long run; 0 means no limit. At a checkpoint, weights that were "
          "not used lately leave memory until the limit is kept; they are read again when they are needed. "
          "Learners that need the whole model for a step do not keep this limit."),

      Number(
          "log.keep_days", [](S& s) { return &s.log_keep_days; }, {0, 1e6},
          "Days that a trained example stays in the log, counted back from the newest example; 0 means no "
          "limit. An example that is gone cannot be trained again by rebuild, nor be corrected by its "
          "Message-ID alone. replay keeps the whole log unless its command line gives this setting."),
      Whole(
          "log.keep_bytes", [](S& s) { return &s.log_keep_bytes; }, {0, kManyBytes},
          "Bytes of the log, before compression, that are kept; 0 means no limit. The oldest examples are "
          "removed first."),
      Word(
          "log.holds", [](S& s) { return &s.log_holds; }, kLogHolds,
          "What the log and the spool of a new model hold of a message. features: its tokens and byte "
          "4-grams. message: what the tokenizer reads of it, from which thresher rebuild can make the model "
          "again with other features, or with the tokenizer of a later release; the text of mail then lies "
          "on the disk, in backups and exports too. An existing model keeps its own."),

      Word(
          "learner.name", [](S& s) { return &s.learner; }, kLearnerNames,
          "Learner of a new model; `thresher learners` describes them. An existing model keeps its own."),

      Whole(
          "features.raw_head_bytes", [](S& s) { return &s.features.raw_head_bytes; }, {0, 1e9},
          "Bytes of what a sender wrote that are read for byte 4-grams: first of the head, then of the "
          "decoded body."),
      Whole(
          "features.ngram_head_bytes", [](S& s) { return &s.features.ngram_head_bytes; }, {0, 1e9},
          "How many of these bytes may be of the headers. Signatures, digests and results of checks are left "
          "out; the body follows, decoded. 0: the 4-grams are made of the raw message as it stands."),
      Word(
          "features.values", [](S& s) { return &s.features.values; }, kValueSchemes,
          "Value of a feature that occurs in the message. binary: 1. log_count: 1 + ln(count). normalised: "
          "binary, scaled to Euclidean norm 1; n-grams and tokens each have half of the squared norm. "
          "frequency: its share of all occurrences, so that the values add up to 1. balanced: binary, "
          "scaled to Euclidean norm 1; n-grams, pairs of words, words of the body, the subject, and all "
          "other tokens have the same share of the squared norm each; a kind with few features has less: "
          "n/(n + 2) of a share for n of them."),
      HeaderNames(
          "features.ignore_headers", [](S& s) { return &s.features.ignore_headers; },
          "Headers that other programs added, such as the verdicts of other filters. They are dropped before "
          "anything else is read. A trailing * matches any ending. X-Thresher* is always dropped."),

      Whole(
          "limits.message_bytes", [](S& s) { return &s.features.message_bytes; }, {1, 1e9},
          "Bytes of a message that are read. These limits bound the work for one message."),
      Whole(
          "limits.header_bytes", [](S& s) { return &s.features.header_bytes; }, {1, 1e9},
          "Bytes of headers that are read. Those that say what the body is are read in any case, up to as "
          "many bytes."),
      Whole(
          "limits.mime_depth", [](S& s) { return &s.features.mime_depth; }, {1, 1000},
          "Depth of nested MIME parts that are read."),
      Whole(
          "limits.mime_parts", [](S& s) { return &s.features.mime_parts; }, {1, 1e6},
          "Number of MIME parts that are read."),
      Whole(
          "limits.decoded_bytes", [](S& s) { return &s.features.decoded_bytes; }, {1, 1e9},
          "Bytes of decoded text of all parts together."),
      Whole(
          "limits.html_depth", [](S& s) { return &s.features.html_depth; }, {1, 1e5},
          "Depth of nested HTML elements."),
      Whole(
          "limits.tokens", [](S& s) { return &s.features.tokens; }, {1, 1e8},
          "Number of distinct features of a message."),

      Text(
          "mark.header", [](S& s) { return &s.features.marks.header; },
          "Name of the header with the verdict: X- and letters, digits and hyphens. Headers of this name, "
          "and "
          "all whose names begin with X-Thresher, are removed from what is delivered and are no part of a "
          "message. A header that mail got under another name before is part of it."),
      MaybeEmptyText(
          "mark.subject_tag", [](S& s) { return &s.features.marks.subject_tag; },
          "What is put before the Subject of spam, followed by a space; empty: nothing. Printable ASCII. "
          "Signatures of the sender's server (DKIM) then no longer fit."),
      Switch(
          "mark.spam_headers", [](S& s) { return &s.features.marks.spam_headers; },
          "Also write the headers X-Spam-Flag and X-Spam-Status, as SpamAssassin does, for programs that "
          "look for them. Those that a message had are removed then."),

      Number(
          "thresholds.spam", [](S& s) { return &s.thresholds.spam; }, {0, 1},
          "A message is Spam if its spam probability is at least this."),
      Number(
          "thresholds.ham", [](S& s) { return &s.thresholds.ham; }, {0, 1},
          "A message is Ham if its spam probability is at most this. Between the thresholds it is Unsure. "
          "It must not be above thresholds.spam."),

      Path(
          "lists.file", [](S& s) { return &s.lists.file; },
          "File of senders, domains and mailing lists whose mail is always ham or always spam; empty: none. "
          "A leading ~/ stands for the home directory. "
          "Lines are \"allow sender joe@example.org\", \"block domain example.org\" (with all domains below "
          "it) or \"allow list-id news.example.org\"; what follows # does not count."),
      MaybeEmptyText(
          "lists.authserv_id", [](S& s) { return &s.lists.authserv_id; },
          "Name with which your mail server begins its header Authentication-Results. Then an entry that "
          "allows counts only if such a header says that DKIM, SPF or DMARC passed for the domain. Empty: "
          "what From says is believed, which anybody can forge."),
      Word(
          "filter.on_error", [](S& s) { return &s.filter_on_error; }, kOnError,
          "What filter and the milter do with a message that they cannot classify. pass: deliver it with the "
          "header X-Thresher: Error. tempfail: filter writes nothing and ends with exit code 75, the milter "
          "refuses for the moment, so that the mail system or the sender tries again later."),
      Number(
          "filter.timeout_seconds", [](S& s) { return &s.filter_timeout_seconds; }, {0.1, kAWeek},
          "Seconds after which filter handles a message as one that it cannot classify."),
      Number(
          "filter.self_train", [](S& s) { return &s.filter_self_train; }, {0, 1},
          "filter teaches each message under its verdict if that is not Unsure and at least so probable; 0: "
          "none. What is taught so is no user's word, and feedback corrects it. At least 0.5. Senders can "
          "abuse it: docs/threats.md."),

      Switch(
          "spool.enabled", [](S& s) { return &s.spool_enabled; },
          "Keep the features of classified messages, so that feedback can train on them without the "
          "message."),
      Whole(
          "spool.max_messages", [](S& s) { return &s.spool_limits.max_messages; }, {0, kMany},
          "Number of messages in the spool. What would exceed one of these limits removes older messages "
          "first, in fair shares: docs/filtering.md, Correct."),
      Whole(
          "spool.max_bytes", [](S& s) { return &s.spool_limits.max_bytes; }, {0, kManyBytes},
          "Bytes in the spool."),
      Whole(
          "spool.max_message_bytes", [](S& s) { return &s.spool_limits.max_message_bytes; }, {0, kManyBytes},
          "Bytes in the spool of one message; the features of a message that needs more are not kept."),
      Number(
          "spool.max_age_days", [](S& s) { return &s.spool_limits.max_age_days; }, {0, 36500},
          "Days that a message stays in the spool."),

      Whole(
          "replay.threads", [](S& s) { return &s.replay_threads; }, {0, 256},
          "Number of threads of replay, grid, fit and classify; 0 means one for each processor core. "
          "Results do not depend on it."),
  };
  for (const std::vector<Setting>& more :
       {ServeSettingsTable(), MilterSettingsTable(), ClusterSettingsTable()})
    table.insert(table.end(), more.begin(), more.end());
  for (const std::vector<Setting>& more : {TokenFamilies(), RehearsalSettings()}) {
    const auto features =
        std::ranges::find_if(table, [](const Setting& setting) { return setting.section() == "features."; });
    table.insert(features, more.begin(), more.end());
  }
  return table;
}

const std::vector<Setting>& Table() {
  static const std::vector<Setting> kTable = MakeTable();
  return kTable;
}

}  // namespace

std::span<const Setting> AllSettings() { return Table(); }

const Setting* FindSetting(std::string_view key) {
  const auto found = std::ranges::find(Table(), key, &Setting::key);
  return found == Table().end() ? nullptr : &*found;
}

}  // namespace thresher::pipeline
