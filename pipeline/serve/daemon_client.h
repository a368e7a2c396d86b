// The daemon that owns a model, as commands of the same machine ask it.
//
// A daemon listens at DIR.socket, DIR being its model's directory, for its own user only; one that has the
// models of a store, at STORE/.socket. Used by commands that change a model, which would otherwise wait for
// the writer's lock (commands/model_to_change.h), and by `cluster`. Thread-safety: one thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/delivery/foresight.h"
#include "pipeline/delivery/forget_messages.h"
#include "pipeline/delivery/reply.h"
#include "pipeline/delivery/teaching.h"
#include "pipeline/error.h"
#include "pipeline/settings/settings.h"
#include "storage/descriptor.h"
#include "tokenizer/tokenizer.h"

namespace thresher::pipeline {

// Where the daemon of the model in `dir` listens.
std::filesystem::path ControlSocket(const std::filesystem::path& dir);
// Where that of the models of a store does.
std::filesystem::path StoreSocket(const std::filesystem::path& store);

// What a service's Foresee and Statistics say.
Foresight ForesightOf(const nlohmann::json& answer);
RecentExamples RecentOf(const nlohmann::json& answer);

class DaemonClient {
 public:
  // The daemon that owns the model of `settings`; nothing if none does. An error (kConfig) if the settings
  // contradict the model, or there is none yet and the command line says how it is to be made; kBusy, here
  // and below, if the daemon does not answer for store.wait_seconds.
  static Result<std::optional<DaemonClient>> Find(const Settings& settings);

  // As Teach; what it returns is acknowledged.
  Result<TeachResult> Learn(std::string_view message, tokenizer::Kind kind, Label label,
                            const Circumstances& circumstances);
  Result<TeachResult> Feedback(const Reply& reply);
  // As the function of that name; of a model that does not exist, that it cannot judge.
  Result<Foresight> Foresee(std::string_view message, tokenizer::Kind kind, Label label);
  // As TaughtKey, and ForgetThese or ForgetAllOf for the user of the settings.
  Result<tokenizer::MessageKey> FindTaught(std::string_view message, tokenizer::Kind kind);
  Result<tokenizer::MessageKey> FindTaught(std::string_view message_id, std::string_view digest);
  Result<ForgottenMessages> Forget(const std::vector<tokenizer::MessageKey>& keys);
  Result<ForgottenMessages> ForgetAll();
  // What the service's Counts says.
  Result<nlohmann::json> Counts();
  // How it follows its log; kNoInput if it follows none.
  Result<nlohmann::json> Log();
  // Whether its models follow a shared log.
  Result<bool> FollowsLog();
  // As Inspection's.
  Result<RecentExamples> Recent(uint64_t most);

 private:
  DaemonClient(std::filesystem::path where, storage::Descriptor socket, std::string whose,
               std::chrono::seconds patience)
      : where_(std::move(where)), socket_(std::move(socket)), whose_(std::move(whose)), patience_(patience) {}
  // Connects again if the daemon has closed the connection.
  Result<void> Renew();
  // `target` without user and model. Errors are the daemon's, or kIo.
  Result<nlohmann::json> Ask(std::string_view method, std::string_view target, std::string_view body);
  Result<TeachResult> AskToTeach(std::string_view target, std::string_view body);
  Result<tokenizer::MessageKey> AskForKey(std::string_view method, std::string_view target,
                                          std::string_view body);
  Result<ForgottenMessages> AskToForget(const nlohmann::json& body);

  std::filesystem::path where_;
  storage::Descriptor socket_;  // not open: to be connected again
  std::string whose_;           // user and model, as the end of a query
  std::chrono::seconds patience_;
};

}  // namespace thresher::pipeline
