#include "pipeline/serve/watched_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "pipeline/wall_clock.h"

namespace thresher::pipeline {
namespace {

using Kind = EventLog::Kind;
using Clock = std::chrono::steady_clock;

constexpr size_t kMostErrorBytes = 512;  // of one line

// Nothing if no line is to be written; else its left_out=.
std::optional<std::string> LeftOut(LineRate* rate) {
  const auto count = rate->Allow();
  if (!count) return std::nullopt;
  return *count > 0 ? fmt::format("{}", *count) : std::string();
}

// Of the first of them: a line must not grow without bounds. A client may have sent anything as a key.
std::string KeysText(const std::vector<tokenizer::MessageKey>& keys) {
  constexpr size_t kMostKeys = 100;
  constexpr size_t kDigestBytes = 32;
  std::string text;
  for (size_t i = 0; i < std::min(keys.size(), kMostKeys); ++i)
    text += (i > 0 ? "," : "") + keys[i].digest.substr(0, kDigestBytes);
  return text;
}

}  // namespace

Result<Judged> WatchedService::Classify(std::string_view message, const Whose& whose) {
  const Clock::time_point begin = Clock::now();
  Result<Judged> judged = service_->Classify(message, whose);
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count();
  if (!judged) {
    LogFailure("classify", Named(whose), judged.error());
    return judged;
  }
  ++counters_.verdicts[static_cast<size_t>(judged->verdict)];
  counters_.AddTime(static_cast<uint64_t>(us));
  const int64_t now = UnixMicroseconds();
  recent_->Add(protocol_, ModelOf(whose).value_or(""), message, *judged, now);
  history_->Judge(judged->key, judged->verdict, static_cast<uint64_t>(us), now / 1000000);
  if (log_->Wants(Kind::kRequest)) {
    const Named named(whose);
    log_->Write(Kind::kRequest, {{"event", "classify"},
                                 {"protocol", protocol_},
                                 {"user", named.user},
                                 {"model", named.model},
                                 {"key", judged->key.digest},
                                 {"verdict", std::string(thresher::pipeline::NameOf(judged->verdict))},
                                 {"listed", judged->listed},
                                 {"probability", fmt::format("{:.6f}", judged->score.probability)},
                                 {"bytes", fmt::format("{}", message.size())},
                                 {"us", fmt::format("{}", us)}});
  }
  return judged;
}

void WatchedService::Learn(std::string_view message, const Whose& whose, const Instruction& how,
                           OnTaught done) {
  service_->Learn(message, whose, how, Watched("learn", whose, how.label, std::move(done)));
}

void WatchedService::Feedback(const Reply& reply, const Whose& whose, OnTaught done) {
  service_->Feedback(reply, whose, Watched("feedback", whose, reply.label, std::move(done)));
}

Service::OnTaught WatchedService::Watched(std::string_view event, const Whose& whose, Label label,
                                          OnTaught done) {
  return [this, event = std::string(event), named = Named(whose), label,
          done = std::move(done)](const Result<TaughtMessage>& taught) {
    if (taught) {
      const auto what = static_cast<size_t>(taught->result);
      ++counters_.taught[what];
      recent_->Tell(taught->key, label);
      history_->Teach(taught->key, label, taught->result, UnixSeconds());
      log_->Write(Kind::kChange, {{"event", event},
                                  {"protocol", protocol_},
                                  {"user", named.user},
                                  {"model", named.model},
                                  {"key", taught->key.digest},
                                  {"label", std::string(pipeline::NameOf(label))},
                                  {"result", std::string(pipeline::NameOf(taught->result))}});
    } else {
      LogFailure(event, named, taught.error());
    }
    done(taught);
  };
}

void WatchedService::Forget(std::string_view message, const Whose& whose, OnForgotten done) {
  service_->Forget(
      message, whose,
      [this, named = Named(whose), done = std::move(done)](const Result<ForgottenMessage>& forgotten) {
        if (forgotten) {
          counters_.forgotten += forgotten->was_taught ? 1 : 0;
          recent_->Forget({&forgotten->key, 1});
          log_->Write(Kind::kChange, {{"event", "forget"},
                                      {"protocol", protocol_},
                                      {"user", named.user},
                                      {"model", named.model},
                                      {"key", forgotten->key.digest},
                                      {"result", forgotten->was_taught ? "forgotten" : "unknown"}});
        } else {
          LogFailure("forget", named, forgotten.error());
        }
        done(forgotten);
      });
}

void WatchedService::ForgetThese(const std::vector<tokenizer::MessageKey>& keys, const Whose& whose,
                                 OnAllForgotten done) {
  service_->ForgetThese(keys, whose, WatchedForgetting(whose, KeysText(keys), std::move(done)));
}

void WatchedService::ForgetAllOf(const Whose& whose, OnAllForgotten done) {
  service_->ForgetAllOf(whose, WatchedForgetting(whose, {}, std::move(done)));
}

Service::OnAllForgotten WatchedService::WatchedForgetting(const Whose& whose, std::string keys,
                                                          OnAllForgotten done) {
  return [this, named = Named(whose), keys = std::move(keys),
          done = std::move(done)](const Result<ForgottenMessages>& forgotten) {
    if (forgotten) {
      counters_.forgotten += forgotten->messages;
      recent_->Forget(forgotten->keys);
      log_->Write(Kind::kChange, {{"event", "forget"},
                                  {"protocol", protocol_},
                                  {"user", named.user},
                                  {"model", named.model},
                                  {"keys", keys},
                                  {"messages", fmt::format("{}", forgotten->messages)}});
    } else {
      LogFailure("forget", named, forgotten.error());
    }
    done(forgotten);
  };
}

void WatchedService::NoteRefused(const Peer& client, std::string_view why) {
  ++counters_.failed;
  const auto left_out = LeftOut(&refused_lines_);
  if (!left_out) return;
  log_->Write(Kind::kError, {{"event", "refused"},
                             {"protocol", protocol_},
                             {"client", client.name},
                             {"why", std::string(why)},
                             {"left_out", *left_out}});
}

void WatchedService::LogFailure(std::string_view event, const Named& named, const Error& error) {
  ++counters_.failed;
  const auto left_out = LeftOut(&failed_lines_);
  if (!left_out) return;
  log_->Write(Kind::kError, {{"event", std::string(event)},
                             {"protocol", protocol_},
                             {"user", named.user},
                             {"model", named.model},
                             {"left_out", *left_out},
                             {"error", error.message.substr(0, kMostErrorBytes)}});
}

}  // namespace thresher::pipeline
