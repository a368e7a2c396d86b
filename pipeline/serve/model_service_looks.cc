// What a service says of its model and of messages: jobs that change nothing.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "pipeline/answers/explanation.h"
#include "pipeline/answers/statistics_json.h"
#include "pipeline/answers/vocabulary.h"
#include "pipeline/delivery/foresight.h"
#include "pipeline/opening/opening.h"
#include "pipeline/serve/model_job.h"
#include "pipeline/serve/model_service.h"
#include "pipeline/wall_clock.h"
#include "tokenizer/ascii.h"
#include "tokenizer/user.h"

namespace thresher::pipeline {
namespace {

using nlohmann::ordered_json;

bool ContainsIgnoringCase(std::string_view text, std::string_view part) {
  if (part.empty()) return true;
  for (size_t i = 0; i + part.size() <= text.size(); ++i)
    if (tokenizer::EqualsIgnoringCase(text.substr(i, part.size()), part)) return true;
  return false;
}

// The features of a message: from the spool if it waits for feedback, else as it was taught.
Result<tokenizer::Features> KeptFeatures(const Model& model, const Spool& spool,
                                         const tokenizer::MessageKey& key) {
  auto spooled = spool.Find(key);
  if (spooled && *spooled) return **std::move(spooled);
  auto taught = model.Messages().FeaturesOf(key);
  if (!taught) return tl::unexpected(taught.error());
  if (*taught) return **std::move(taught);
  if (!spooled) return tl::unexpected(spooled.error());
  return tl::unexpected(Error{kNoInput, "nothing is kept of this message any more"});
}

Result<Explanation> ExplainAll(const Model& model, const tokenizer::Features& features,
                               const Thresholds& thresholds, size_t top) {
  return Explain(model.Inspect(), features, thresholds, top, [](std::string_view) { return true; });
}

// The page of `lines` that the query asks for.
std::vector<VocabularyLine> PageOf(std::vector<VocabularyLine> lines, const VocabularyQuery& query) {
  const size_t begin = std::min(query.skip, lines.size());
  const size_t count = query.top == 0 ? lines.size() : query.top;
  const size_t end = begin + std::min(count, lines.size() - begin);
  return {std::make_move_iterator(lines.begin() + static_cast<std::ptrdiff_t>(begin)),
          std::make_move_iterator(lines.begin() + static_cast<std::ptrdiff_t>(end))};
}

}  // namespace

// Programs name the recipient, whose address a sender may have made longer (user+anything@…) than a name can
// be. If that were an error, the mail would pass without a verdict.
Whose ModelService::ToJudge(const Whose& whose) {
  Whose judged = whose;
  if (!whose.insists && !tokenizer::IsUserName(whose.user)) judged.user = {};
  return judged;
}

void ModelService::Explain(std::string_view message, const Whose& whose, size_t top, OnExplanation done) {
  const auto asked = Prepare(message, ToJudge(whose));
  if (!asked) return done(tl::unexpected(asked.error()));
  const auto features = std::make_shared<tokenizer::Features>(asked->TakeFeatures());
  const auto decided = lists()->Decide(message, asked->settings->lists.authserv_id);
  Post(JobFor<Explanation>(std::move(done), [features, settings = asked->settings, decided, top](
                                                Model& model, Pending<Explanation>& pending) {
    auto explanation = ExplainAll(model, *features, settings->thresholds, top);
    if (explanation && decided) {
      explanation->verdict = decided->verdict;
      explanation->decided_by = decided->entry;
    }
    return pending.Found(std::move(explanation));
  }));
}

void ModelService::ExplainKept(const tokenizer::MessageKey& key, const Whose& whose, size_t top,
                               OnExplanation done) {
  const auto settings = this->settings();
  const auto name = UserOf(whose, *settings);
  if (!name) return done(tl::unexpected(name.error()));
  const tokenizer::MessageKey kept{tokenizer::MessageIdOf(*name, key.message_id), key.digest};
  Post(JobFor<Explanation>(std::move(done),
                           [this, settings, kept, top](Model& model, Pending<Explanation>& pending) {
                             const Spool spool = SpoolWith(kept.message_id, *settings, model);
                             const auto features = KeptFeatures(model, spool, kept);
                             if (!features) return pending.Refuse(features.error());
                             return pending.Found(ExplainAll(model, *features, settings->thresholds, top));
                           }));
}

// What the model has learned is brought to disk first, where another thread reads it.
void ModelService::LookThrough(Look look, const OnJson& done) {
  const auto settings = this->settings();
  const auto open_and_look = [settings, look = std::move(look), done] {
    Result<ordered_json> seen;
    try {
      const auto model = OpenForReading(ModelDirectory(*settings), *settings);
      seen = model ? look(*model) : tl::unexpected(model.error());
    } catch (const std::exception& fault) {
      seen = tl::unexpected(Error{kInternal, fault.what()});
    }
    done(seen);
  };
  const auto begin = [beside = beside_.get(), open_and_look, done](const Result<bool>& is_on_disk) {
    if (!is_on_disk) return done(tl::unexpected(is_on_disk.error()));
    if (!beside->looks.Post(open_and_look))
      done(tl::unexpected(Error{kBusy, "too many wait to look into the model; try again later"}));
  };
  Post(JobFor<bool>(begin, [](Model& model, Pending<bool>& pending) {
    return pending.Found(model.Checkpoint().map([] { return true; }));
  }));
}

Result<void> ModelService::Sample(Model& model) {
  NoteSize(model.memory_bytes());
  const int64_t now = UnixSeconds();
  if (history_ != nullptr) history_->Measure(live_->CountWeights(), now);
  const std::lock_guard lock(watched_->mutex);
  WeightSeries& series = watched_->series;
  const std::vector<uint64_t> ids = series.watched();
  const auto entries = model.Inspect().vocabulary().Lookup(ids);
  if (!entries) return tl::unexpected(entries.error());
  std::vector<double> weights;
  for (const VocabularyEntry& entry : *entries) weights.push_back(entry.weight);
  series.Add(ids, weights, now);
  return {};
}

void ModelService::WatchedWeights::WatchFromNow(const std::vector<VocabularyLine>& listed) {
  std::vector<uint64_t> ids;
  std::vector<double> weights;
  for (const VocabularyLine& line : listed) {
    if (ids.size() == WeightSeries::kMostTokens) break;
    ids.push_back(line.entry.id);
    weights.push_back(line.entry.weight);
  }
  const std::lock_guard lock(mutex);
  series.Watch(ids);
  series.Add(ids, weights, UnixSeconds());
}

void ModelService::Vocabulary(const VocabularyQuery& query, const Whose& /*whose*/, OnJson done) {
  const auto list = [watched = watched_, query](const Inspection& model) -> Result<ordered_json> {
    const auto statistics = model.Statistics();
    if (!statistics) return tl::unexpected(statistics.error());
    auto tokens = HeaviestTokens(model);
    if (!tokens) return tl::unexpected(tokens.error());
    const WeightsByField fields = FieldsOf(*tokens);
    auto matching = Select(
        *std::move(tokens),
        {.spam = query.spam,
         .ham = query.ham,
         .wants_field = [&](std::string_view each) { return query.field.empty() || each == query.field; },
         .matches = [&](std::string_view text) { return ContainsIgnoringCase(text, query.contains); }});
    if (!matching) return tl::unexpected(matching.error());
    const size_t count = matching->size();
    const std::vector<VocabularyLine> page = PageOf(*std::move(matching), query);
    watched->WatchFromNow(page);
    return VocabularyJson(page, count, fields, *statistics);
  };
  LookThrough(list, done);
}

void ModelService::Weights(const std::vector<uint64_t>& ids, const Whose& /*whose*/, OnJson done) {
  Post(JobFor<ordered_json>(std::move(done), [this, ids](Model& model, Pending<ordered_json>& pending) {
    const auto entries = model.Inspect().vocabulary().Lookup(ids);
    if (!entries) return pending.Found(tl::unexpected(entries.error()));
    ordered_json tokens = ordered_json::array();
    const std::lock_guard lock(watched_->mutex);
    for (const VocabularyEntry& entry : *entries) {
      ordered_json points = ordered_json::array();
      for (const WeightSeries::Point& point : watched_->series.PointsOf(entry.id))
        points.push_back({point.time, point.weight});
      tokens.push_back({{"id", fmt::format("{:016x}", entry.id)},
                        {"weight", entry.weight},
                        {"points", std::move(points)}});
    }
    return pending.Found(ordered_json{{"tokens", std::move(tokens)}});
  }));
}

void ModelService::Statistics(uint64_t most, const Whose& /*whose*/, OnJson done) {
  const auto count =
      [most, where = ModelDirectory(*settings()).string()](const Inspection& model) -> Result<ordered_json> {
    const auto statistics = model.Statistics();
    if (!statistics) return tl::unexpected(statistics.error());
    const auto recent = model.Recent(most);
    if (!recent) return tl::unexpected(recent.error());
    const auto sizes = model.Sizes();
    if (!sizes) return tl::unexpected(sizes.error());
    return StatisticsJson(where, model, *statistics, *recent, *sizes);
  };
  LookThrough(count, done);
}

void ModelService::Foresee(std::string_view message, const Whose& whose, const Instruction& how,
                           OnJson done) {
  const auto asked = Prepare(message, whose, how.kind);
  if (!asked) return done(tl::unexpected(asked.error()));
  const auto features = std::make_shared<tokenizer::Features>(asked->TakeFeatures());
  Post(JobFor<ordered_json>(std::move(done), [features, keys = asked->keys(), label = how.label](
                                                 Model& model, Pending<ordered_json>& pending) {
    const auto foresight = pipeline::Foresee(model, *features, label, keys);
    if (!foresight) return pending.Found(tl::unexpected(foresight.error()));
    return pending.Found(ordered_json{{"can_judge", foresight->can_judge},
                                      {"known", foresight->is_known},
                                      {"corrects", foresight->corrects},
                                      {"margin", foresight->margin}});
  }));
}

void ModelService::Counts(const Whose& /*whose*/, OnCounts done) {
  Post(JobFor<ModelCounts>(std::move(done), [](Model& model, Pending<ModelCounts>& pending) {
    const Inspection inspection = model.Inspect();
    return pending.Found(ModelCounts{.taught = inspection.taught(),
                                     .waiting_ham = inspection.Waiting(Label::kHam),
                                     .waiting_spam = inspection.Waiting(Label::kSpam)});
  }));
}

}  // namespace thresher::pipeline
