#include "pipeline/serve/model_service.h"

#include <fmt/format.h>

#include <exception>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "pipeline/answers/explanation.h"
#include "pipeline/answers/json_text.h"
#include "pipeline/answers/needed.h"
#include "pipeline/answers/statistics_json.h"
#include "pipeline/answers/vocabulary.h"
#include "pipeline/delivery/known_message.h"
#include "pipeline/delivery/meant_message.h"
#include "pipeline/opening/opening.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

// The user whose mail it is.
Result<std::string> UserOf(std::string_view named, const Settings& settings) {
  if (named.empty() || !settings.serve.users) return settings.user;
  if (!tokenizer::IsUserName(named)) {
    return tl::unexpected(Error{kData, fmt::format("the name of the user has 1 to {} bytes, without slashes, "
                                                   "spaces and control characters",
                                                   tokenizer::kMaxUserName)});
  }
  return std::string(named);
}

// What a job of the model's thread finds, and who wants to hear it.
template <class T>
struct Pending {
  Result<T> found = tl::unexpected(Error{kInternal, "the job was not done"});
  std::function<void(const Result<T>&)> done;

  // For Job::run. An error is the model's.
  Result<void> Found(Result<T> result) {
    found = std::move(result);
    return found ? Result<void>() : tl::unexpected(found.error());
  }
  // The same for an error that concerns this request only.
  Result<void> Refuse(Error error) {
    found = tl::unexpected(std::move(error));
    return {};
  }
  // For Job::done.
  void Tell(const Result<void>& acknowledged) const {
    done(acknowledged ? found : tl::unexpected(acknowledged.error()));
  }
};

// A job that tells somebody what it finds. run(model, pending)
template <class T, class Run>
ModelThread::Job JobFor(std::function<void(const Result<T>&)> done, Run run) {
  const auto pending = std::make_shared<Pending<T>>();
  pending->done = std::move(done);
  return {.run = [pending, run = std::move(run)](Model& model) { return run(model, *pending); },
          .done = [pending](const Result<void>& acknowledged) { pending->Tell(acknowledged); }};
}

}  // namespace

struct ModelService::Asked {
  std::shared_ptr<const Settings> settings;
  ScoringSeats::Taken seat;
  std::string user;
  tokenizer::MessageKeys keys;
};

// A message on its way into the model. It leaves the spool when what was learned from it is on disk.
struct ModelService::Teaching {
  std::shared_ptr<const Settings> settings;
  OnTaught done;
  // The message and its features, in the model's thread.
  std::function<Result<MeantMessage>(const Model&, const Spool&)> find;
  Label label = Label::kHam;
  Circumstances circumstances = {};
};

ModelService::ModelService(const Settings& settings, std::function<void(const Result<void>&)> on_change)
    : settings_(std::make_shared<Settings>(settings)),
      thread_({.open =
                   [settings] {
                     WriteAccess access = TeachingAccess(settings);
                     access.wait = {};  // ModelThread tries again
                     return OpenOrCreateModel(ModelDirectory(settings), settings, access);
                   },
               .on_open = [this](Model& model) { return OnOpen(model); },
               .on_change = std::move(on_change)},
              settings.serve.queue) {}

std::shared_ptr<const Settings> ModelService::settings() const {
  const std::lock_guard lock(mutex_);
  return settings_;
}

std::shared_ptr<const SenderLists> ModelService::lists() const {
  const std::lock_guard lock(mutex_);
  return lists_;
}

void ModelService::SetLists(SenderLists lists) {
  auto next = std::make_shared<SenderLists>(std::move(lists));
  const std::lock_guard lock(mutex_);
  lists_ = std::move(next);
}

void ModelService::Reload(const Settings& settings) {
  auto next = std::make_shared<Settings>(settings);
  const std::lock_guard lock(mutex_);
  next->store_path = settings_->store_path;
  next->model = settings_->model;
  next->features.marks = settings_->features.marks;
  settings_ = std::move(next);
}

Result<void> ModelService::OnOpen(Model& model) {
  auto live = model.MakeLiveScorer();
  if (!live) return tl::unexpected(live.error());
  seats_.Replace(*std::move(live));
  return {};
}

// Any exception is that of this message.
Result<ModelService::Asked> ModelService::Prepare(std::string_view message, std::string_view user,
                                                  tokenizer::Kind kind) {
  try {
    Asked asked{.settings = settings(), .seat = seats_.Take(), .user = {}, .keys = {}};
    if (!asked.seat) {
      const Result<void> ready = Ready();
      return tl::unexpected(Error{kBusy, ready ? "the model is being opened" : ready.error().message});
    }
    auto name = UserOf(user, *asked.settings);
    if (!name) return tl::unexpected(name.error());
    asked.user = *std::move(name);
    asked.seat->tokenizer.Tokenize(message, kind, &asked.seat->features, asked.user);
    asked.keys = asked.seat->key_maker.KeysOf(message, asked.user);
    return asked;
  } catch (const std::exception& fault) {
    return tl::unexpected(Error{kInternal, fault.what()});
  }
}

Result<Judged> ModelService::Classify(std::string_view message, std::string_view user) {
  auto asked = Prepare(message, user);
  if (!asked) return tl::unexpected(asked.error());
  ScoringSeats::Seat& seat = *asked->seat;
  const Result<Score> score = seat.reader.Classify(seat.features);
  if (!score) return tl::unexpected(score.error());
  // A full or read-only spool costs late feedback only.
  if (asked->settings->spool_enabled)
    static_cast<void>(SpoolOf(*asked->settings, seat.reader.id_space()).Keep(asked->keys.own, seat.features));
  const Thresholds& thresholds = asked->settings->thresholds;
  Judged judged{thresholds.Decide(score->probability),
                *score,
                thresholds,
                seat.reader.taught(),
                seat.reader.contradictions(),
                std::move(asked->keys.own)};
  lists()->Apply(message, asked->settings->lists.authserv_id, &judged);
  return judged;
}

void ModelService::Learn(std::string_view message, std::string_view user, const Instruction& how,
                         OnTaught done) {
  auto asked = Prepare(message, user, how.kind);
  if (!asked) return done(tl::unexpected(asked.error()));
  const auto meant =
      std::make_shared<MeantMessage>(MeantMessage{asked->keys, std::move(asked->seat->features)});
  const auto find = [meant](const Model&, const Spool&) -> Result<MeantMessage> { return std::move(*meant); };
  Teach(std::make_shared<Teaching>(
      Teaching{asked->settings, std::move(done), find, how.label, how.circumstances}));
}

void ModelService::Feedback(const Reply& reply, std::string_view user, OnTaught done) {
  const std::shared_ptr<const Settings> settings = this->settings();
  const auto name = UserOf(user, *settings);
  if (!name) return done(tl::unexpected(name.error()));
  const auto find = [reply, user = *name](const Model& model, const Spool& spool) -> Result<MeantMessage> {
    const auto spooled = spool.List();
    if (!spooled) return tl::unexpected(spooled.error());
    return FindMeant(model, spool, *spooled, user, reply);
  };
  Teach(std::make_shared<Teaching>(Teaching{settings, std::move(done), find, reply.label, {}}));
}

void ModelService::Teach(const std::shared_ptr<Teaching>& teaching) {
  struct Done {
    Taught taught;
    std::vector<tokenizer::MessageKey> spooled;
    std::shared_ptr<const Spool> spool;
  };
  thread_.Post(JobFor<Done>(
      [teaching](const Result<Done>& done) {
        if (!done) return teaching->done(tl::unexpected(done.error()));
        for (const tokenizer::MessageKey& key : done->spooled) done->spool->Remove(key);
        teaching->done(done->taught);
      },
      [teaching](Model& model, Pending<Done>& pending) {
        const auto spool =
            std::make_shared<const Spool>(SpoolOf(*teaching->settings, model.identity().MakeIdSpace()));
        const auto meant = teaching->find(model, *spool);
        // Nothing was changed. It may be the spool only that cannot be read.
        if (!meant) return pending.Refuse(meant.error());
        if (!meant->features)
          return pending.Found(Done{{TeachResult::kKnown, meant->keys.own.digest}, {}, spool});
        auto taught = TeachOfSeveral(model, *spool, *meant->features, teaching->label, meant->keys,
                                     teaching->circumstances);
        if (!taught) return pending.Found(tl::unexpected(taught.error()));
        return pending.Found(Done{{taught->result, taught->key.digest}, std::move(taught->spooled), spool});
      }));
}

void ModelService::Forget(std::string_view message, std::string_view user, OnForgotten done) {
  auto asked = Prepare(message, user);
  if (!asked) return done(tl::unexpected(asked.error()));
  const auto meant =
      std::make_shared<MeantMessage>(MeantMessage{asked->keys, std::move(asked->seat->features)});
  thread_.Post(JobFor<bool>(
      std::move(done), [settings = asked->settings, meant](Model& model, Pending<bool>& pending) {
        const auto known = FindKnown(model.Messages(), meant->keys, *meant->features);
        if (!known) return pending.Found(tl::unexpected(known.error()));
        const tokenizer::MessageKey& key = *known ? (*known)->key : KeyToTeach(meant->keys);
        const auto forgotten = model.Forget([&](const storage::Example& example) {
          return example.message_id == key.message_id && example.digest == key.digest;
        });
        if (!forgotten) return pending.Found(tl::unexpected(forgotten.error()));
        SpoolOf(*settings, model.identity().MakeIdSpace()).Remove(key);
        return pending.Found(forgotten->examples > 0);
      }));
}

void ModelService::Explain(std::string_view message, std::string_view user, size_t top, OnJson done) {
  auto asked = Prepare(message, user);
  if (!asked) return done(tl::unexpected(asked.error()));
  const auto features = std::make_shared<tokenizer::Features>(std::move(asked->seat->features));
  thread_.Post(JobFor<std::string>(std::move(done), [features, settings = asked->settings, top](
                                                        Model& model, Pending<std::string>& pending) {
    const auto explanation = pipeline::Explain(model.Inspect(), *features, settings->thresholds, top,
                                               [](std::string_view) { return true; });
    if (!explanation) return pending.Found(tl::unexpected(explanation.error()));
    return pending.Found(JsonText(ExplanationJson(*explanation)));
  }));
}

void ModelService::Vocabulary(std::string_view field, size_t top, OnJson done) {
  thread_.Post(JobFor<std::string>(
      std::move(done), [field = std::string(field), top](Model& model, Pending<std::string>& pending) {
        const Inspection inspection = model.Inspect();
        const auto statistics = inspection.Statistics();
        if (!statistics) return pending.Found(tl::unexpected(statistics.error()));
        auto tokens = HeaviestTokens(inspection);
        if (!tokens) return pending.Found(tl::unexpected(tokens.error()));
        const WeightsByField fields = FieldsOf(*tokens);
        const auto selection =
            Select(*std::move(tokens),
                   {.top = top,
                    .wants_field = [&](std::string_view each) { return field.empty() || each == field; },
                    .matches = [](std::string_view) { return true; }});
        if (!selection) return pending.Found(tl::unexpected(selection.error()));
        return pending.Found(JsonText(VocabularyJson(*selection, fields, *statistics)));
      }));
}

void ModelService::Statistics(OnJson done) {
  thread_.Post(JobFor<std::string>(
      std::move(done), [settings = settings()](Model& model, Pending<std::string>& pending) {
        const Inspection inspection = model.Inspect();
        const auto statistics = inspection.Statistics();
        if (!statistics) return pending.Found(tl::unexpected(statistics.error()));
        const auto recent = inspection.Recent();
        if (!recent) return pending.Found(tl::unexpected(recent.error()));
        const auto sizes = inspection.Sizes();
        if (!sizes) return pending.Found(tl::unexpected(sizes.error()));
        const std::string where = ModelDirectory(*settings).string();
        return pending.Found(JsonText(StatisticsJson(where, inspection, *statistics, *recent, *sizes)));
      }));
}

void ModelService::Counts(OnJson done) {
  thread_.Post(JobFor<std::string>(std::move(done), [](Model& model, Pending<std::string>& pending) {
    const Inspection inspection = model.Inspect();
    const TaughtCounts& taught = inspection.taught();
    return pending.Found(JsonText(
        {{"ham", taught.ham},
         {"spam", taught.spam},
         {"waiting", {{"ham", inspection.Waiting(Label::kHam)}, {"spam", inspection.Waiting(Label::kSpam)}}},
         {"needed", NeededJson(taught)}}));
  }));
}

}  // namespace thresher::pipeline
