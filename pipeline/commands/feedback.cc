// thresher feedback: teach a message that was classified or taught before, by its Message-ID alone.
#include <fmt/format.h>

#include <algorithm>

#include "pipeline/commands/command.h"
#include "pipeline/model.h"
#include "pipeline/spool.h"
#include "pipeline/teaching.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using tokenizer::MessageKey;

struct Flags {
  ModelFlags model;
  bool spam = false;
  bool ham = false;
  std::string id;
  std::string key;
};

// Without <>.
std::string_view BareId(std::string_view id) {
  return id.size() >= 2 && id.front() == '<' && id.back() == '>' ? id.substr(1, id.size() - 2) : id;
}

// The one message known under this Message-ID (and digest, if given) as the user's.
Result<MessageKey> FindKey(const Flags& flags, std::string_view user, const Model& model,
                           const Spool& spool) {
  const std::string_view bare_id = BareId(flags.id);
  const std::string id = tokenizer::MessageIdOf(user, bare_id);
  auto taught = model.KeysOf(id);
  if (!taught) return tl::unexpected(taught.error());
  std::vector<MessageKey> keys = *taught;
  for (MessageKey& kept : spool.KeysOf(id)) {
    if (std::find(keys.begin(), keys.end(), kept) == keys.end()) keys.push_back(std::move(kept));
  }
  if (!flags.key.empty())
    keys.erase(std::remove_if(keys.begin(), keys.end(),
                              [&](const MessageKey& key) { return key.digest != flags.key; }),
               keys.end());
  if (keys.empty()) {
    return tl::unexpected(
        Error{kNoInput,
              fmt::format("no message with id <{}>{} was classified or taught here; teach the message itself "
                          "with `thresher learn`",
                          bare_id, flags.key.empty() ? "" : " and key " + flags.key)});
  }
  if (keys.size() > 1) {
    std::string digests;
    for (const MessageKey& key : keys) digests += " " + key.digest;
    return tl::unexpected(Error{
        kData,
        fmt::format("{} different messages have the id <{}>; name one by --key, which its X-Thresher header "
                    "tells:{}",
                    keys.size(), bare_id, digests)});
  }
  return keys.front();
}

Result<tokenizer::Features> FeaturesOf(const MessageKey& key, Model& model, const Spool& spool) {
  if (auto kept = spool.Find(key)) return *std::move(kept);
  auto taught = model.TaughtFeatures(key);
  if (!taught) return tl::unexpected(taught.error());
  if (*taught) return **std::move(taught);
  return tl::unexpected(Error{
      kNoInput, "the features of this message have expired; teach the message itself with `thresher learn`"});
}

Result<int> Feedback(const Flags& flags) {
  const Result<Settings> settings = flags.model.Resolve();
  if (!settings) return tl::unexpected(settings.error());
  auto model = Model::OpenExisting(ModelDirectory(*settings), *settings, TeachingAccess(*settings));
  if (!model) return tl::unexpected(model.error());
  const Spool spool = SpoolOf(*settings, (*model)->id_space());
  const auto key = FindKey(flags, settings->user, **model, spool);
  if (!key) return tl::unexpected(key.error());
  const auto features = FeaturesOf(*key, **model, spool);
  if (!features) return tl::unexpected(features.error());
  const auto taught = Teach(**model, spool, *features, flags.spam ? Label::kSpam : Label::kHam, *key);
  if (!taught) return tl::unexpected(taught.error());
  if (auto done = (*model)->Checkpoint(); !done) return tl::unexpected(done.error());
  constexpr std::string_view kWhat[] = {"learned", "corrected", "known already"};
  fmt::print("<{}> {} as {}\n", BareId(flags.id), kWhat[static_cast<size_t>(*taught)],
             flags.spam ? "spam" : "ham");
  return 0;
}

}  // namespace

void AddFeedback(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("feedback", "Teach a message seen before, by its Message-ID");
  command->footer(
      "`filter` and `classify` keep the features of what they saw for some weeks (spool.* settings), so that "
      "\"this is junk\" needs\n"
      "the Message-ID only. Exit code: 0; 65 if several messages share the id; 66 if none is known; 75 if "
      "another process is writing.");
  auto flags = std::make_shared<Flags>();
  auto* label = command->add_option_group("label", "What the message is");
  label->add_flag("--spam", flags->spam, "It is spam");
  label->add_flag("--ham", flags->ham, "It is ham");
  label->require_option(1);
  command->add_option("--id", flags->id, "Its Message-ID, with or without <>")->required();
  command->add_option("--key", flags->key,
                      "The key= of its X-Thresher header, where several messages share the id");
  flags->model.AddTo(command);
  flags->model.AddUser(command);
  flags->model.AddSetting(command, "--wait", "store.wait_seconds", "Seconds to wait for another writer");
  command->callback([=] { *exit_code = Run([&] { return Feedback(*flags); }); });
}

}  // namespace thresher::pipeline
