#include "pipeline/settings/table.h"

#include <algorithm>

#include "pipeline/settings/presets.h"

namespace thresher::pipeline {
namespace {

using S = Settings;
using Choices = std::vector<std::string_view>;

constexpr double kMany = 1e12;
constexpr double kAWeek = 7 * 24 * 3600;

const std::vector<Setting>& Table() {
  // One setting is one entry: key, field, help, and a range for numbers or choices for words.
  static const std::vector<Setting> kTable = {
      {kPresetKey, [](S& s) { return &s.preset; },
       "Values for several settings at once, in place of their defaults; any setting that is named besides "
       "wins.",
       0, 0, PresetNames()},

      {"store.path", [](S& s) { return &s.store_path; },
       "Directory of the store, which holds one directory per model. A leading ~/ is your home."},
      {"store.model", [](S& s) { return &s.model; }, "Name of the model inside the store."},
      {"store.user", [](S& s) { return &s.user; },
       "Whose mail filter, classify, learn, feedback and explain are given. Such a message has each of "
       "its tokens twice, as everybody's and as this user's, and both are learned: one model serves many "
       "users, and each has a say of their own. Empty: nobody's in particular. At most 64 bytes, without "
       "slashes and spaces."},
      {"store.durability",
       [](S& s) { return &s.durability; },
       "When an example counts as learned: sync, when it is on disk; group, when the command that learned "
       "it has ended well, which brings all of its examples to the disk at once; os, when the operating "
       "system has it, so that a crash of the machine may lose the last ones. auto is sync for learn and "
       "feedback and os for replay.",
       0,
       0,
       {"auto", "sync", "group", "os"}},
      {"store.wait_seconds", [](S& s) { return &s.wait_seconds; },
       "How long learn and feedback wait for another program that is writing to the model.", 0, kAWeek},
      {"store.checkpoint_every", [](S& s) { return &s.checkpoint_every; },
       "After how many examples the weights are written. What is learned in between is in the log and "
       "recovered from there.",
       1, kMany},

      {"store.memory_bytes", [](S& s) { return &s.memory_bytes; },
       "Memory for weights between checkpoints of a long run; beyond it, those that were not learned from "
       "lately are read again when they are needed. 0: no limit. Learners that need all of them for "
       "a step do not keep to this.",
       0, 1e15},

      {"log.keep_days", [](S& s) { return &s.log_limits.days; },
       "How long a taught example stays in the log, seen from the newest one; 0: for ever. What is gone "
       "cannot be taught again to another learner, nor be corrected by Message-ID alone. replay keeps all "
       "of it unless its command line names this.",
       0, 1e6},
      {"log.keep_bytes", [](S& s) { return &s.log_limits.bytes; },
       "How much of the log stays, before compression; 0: all of it.", 0, 1e15},

      {"learner.name", [](S& s) { return &s.learner; },
       "Learner of a new model; `thresher learners` describes them all. An existing model keeps its own."},

      {"features.raw_ngrams", [](S& s) { return &s.features.raw_ngrams; },
       "Byte 4-grams of the raw head of the message, headers included."},
      {"features.raw_head_bytes", [](S& s) { return &s.features.raw_head_bytes; },
       "How many bytes of the message are read for byte 4-grams.", 0, 1e9},
      {"features.headers", [](S& s) { return &s.features.headers; },
       "Words and addresses of the headers, hosts and addresses of Received, the shape of Message-ID, and "
       "the like."},
      {"features.body_words", [](S& s) { return &s.features.body_words; },
       "Words of the body, decoded, HTML rendered as text."},
      {"features.html_structure", [](S& s) { return &s.features.html_structure; },
       "Tags and attributes that spam uses: images, forms, invisible text."},
      {"features.urls", [](S& s) { return &s.features.urls; },
       "Hosts, domain suffixes and path words of URLs."},
      {"features.attachments", [](S& s) { return &s.features.attachments; },
       "Type, name and digest of attached files."},
      {"features.word_pairs", [](S& s) { return &s.features.word_pairs; },
       "Pairs of neighbouring words of subject and body."},
      {"features.values",
       [](S& s) { return &s.features.values; },
       "Value of a feature that is present: binary, 1; log_count, 1 + ln(count); normalised, binary scaled "
       "to length 1, half of its square for the n-grams and half for the tokens.",
       0,
       0,
       {"binary", "log_count", "normalised"}},
      {"features.ignore_headers", [](S& s) { return &s.features.ignore_headers; },
       "Headers that are not the message's own, such as other filters' verdicts; dropped before anything "
       "else. A trailing * matches any ending. X-Thresher* is always dropped."},

      {"limits.message_bytes", [](S& s) { return &s.features.message_bytes; },
       "How much of a message is looked at. No message costs more than these limits allow.", 1, 1e9},
      {"limits.header_bytes", [](S& s) { return &s.features.header_bytes; },
       "Of each header block, the message's or a part's.", 1, 1e9},
      {"limits.mime_depth", [](S& s) { return &s.features.mime_depth; }, "Nesting of MIME parts.", 1, 1000},
      {"limits.mime_parts", [](S& s) { return &s.features.mime_parts; }, "Number of MIME parts.", 1, 1e6},
      {"limits.decoded_bytes", [](S& s) { return &s.features.decoded_bytes; },
       "Decoded text of all parts together.", 1, 1e9},
      {"limits.html_depth", [](S& s) { return &s.features.html_depth; }, "Nesting of HTML elements.", 1, 1e5},
      {"limits.tokens", [](S& s) { return &s.features.tokens; }, "Distinct features of a message.", 1, 1e8},

      {"thresholds.spam", [](S& s) { return &s.thresholds.spam; },
       "A message is Spam if its probability of being spam is at least this.", 0, 1},
      {"thresholds.ham", [](S& s) { return &s.thresholds.ham; },
       "A message is Ham if its probability of being spam is at most this; in between it is Unsure. Not "
       "above thresholds.spam.",
       0, 1},

      {"filter.on_error",
       [](S& s) { return &s.filter_on_error; },
       "What filter does with a message it cannot judge: pass delivers it, marked X-Thresher: Error; "
       "tempfail ends with exit code 75, so that the mail system tries again later.",
       0,
       0,
       {"pass", "tempfail"}},
      {"filter.timeout_seconds", [](S& s) { return &s.filter_timeout_seconds; },
       "A message that takes filter longer than this counts as one it cannot judge.", 0.1, kAWeek},

      {"spool.enabled", [](S& s) { return &s.spool_enabled; },
       "Keep the features of classified messages, so that feedback can teach them without the message."},
      {"spool.max_messages", [](S& s) { return &s.spool_limits.max_messages; },
       "Messages kept; beyond any of these limits the oldest go first.", 0, kMany},
      {"spool.max_bytes", [](S& s) { return &s.spool_limits.max_bytes; }, "Bytes kept.", 0, 1e15},
      {"spool.max_age_days", [](S& s) { return &s.spool_limits.max_age_days; }, "Days they are kept.", 0,
       36500},

      {"replay.threads", [](S& s) { return &s.replay_threads; },
       "Threads of replay; 0: as many as there are processor cores. Results do not depend on it.", 0, 256},
  };
  return kTable;
}

}  // namespace

std::span<const Setting> AllSettings() { return Table(); }

const Setting* FindSetting(std::string_view key) {
  const auto found =
      std::find_if(Table().begin(), Table().end(), [&](const Setting& s) { return s.key == key; });
  return found == Table().end() ? nullptr : &*found;
}

}  // namespace thresher::pipeline
