#include "pipeline/serve/page_requests.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "eval/html/assets.h"
#include "pipeline/serve/http_answers.h"
#include "pipeline/serve/page/assets.h"
#include "pipeline/wall_clock.h"

namespace thresher::pipeline {
namespace {

// Of /weights: what one page of a table has.
constexpr size_t kMostWeights = 200;

struct File {
  std::string_view path;
  std::string_view type;
  std::string_view (*bytes)();
};

constexpr char kHtml[] = "text/html; charset=utf-8";
constexpr char kCss[] = "text/css; charset=utf-8";
constexpr char kScript[] = "text/javascript; charset=utf-8";
constexpr char kText[] = "text/plain; charset=utf-8";

// chart.js uses the library as soon as it is read.
std::string_view Chart() { return eval::html::Library().empty() ? std::string_view() : eval::html::Chart(); }

constexpr auto kFiles = std::to_array<File>({
    {"/", kHtml, page::Index},
    {"/page/style.css", kCss, page::Style},
    {"/page/report.css", kCss, eval::html::Style},
    {"/page/elements.js", kScript, eval::html::Elements},
    {"/page/library.js", kScript, eval::html::Library},
    {"/page/licence.txt", kText, eval::html::Licence},
    {"/page/chart.js", kScript, Chart},
    {"/page/ask.js", kScript, page::Ask},
    {"/page/message.js", kScript, page::Message},
    {"/page/stream.js", kScript, page::Stream},
    {"/page/vocabulary.js", kScript, page::Vocabulary},
    {"/page/figures.js", kScript, page::Figures},
    {"/page/doubt.js", kScript, page::Doubt},
    {"/page/start.js", kScript, page::Start},
});

// 16 hexadecimal digits each, with commas between them.
std::optional<std::vector<uint64_t>> IdsIn(std::string_view text) {
  std::vector<uint64_t> ids;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    uint64_t id = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id, 16);
    if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    ids.push_back(id);
  }
  // Each once: a learner is asked for distinct rows.
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace

std::optional<HttpResponse> PageFile(std::string_view path) {
  const auto file = std::ranges::find_if(kFiles, [&](const File& each) { return each.path == path; });
  if (file == kFiles.end()) return std::nullopt;
  return HttpResponse{.type = std::string(file->type), .body = std::string(file->bytes())};
}

void ShowRecent(const HttpAsked& asked, const HttpApi::OnResponse& done) {
  const auto after = NumberIn(asked.request, "after", 0);
  done(after ? OneLine(asked.rules.recent->After(*after)) : NoNumber("after"));
}

void ShowHistory(const HttpAsked& asked, const HttpApi::OnResponse& done) {
  nlohmann::ordered_json json = asked.rules.history->Json(UnixSeconds());
  const DaemonFigures figures = asked.rules.figures();
  json["ready"] = figures.is_ready;
  json["connections"] = figures.connections;
  json["waiting"] = figures.waiting;
  done(OneLine(json));
}

void ShowWeights(const HttpAsked& asked, const HttpApi::OnResponse& done) {
  const auto ids = IdsIn(asked.request.Query("ids"));
  if (!ids || ids->size() > kMostWeights)
    return done(HttpResponse::Problem(400, "expected up to 200 ids of /vocab, with commas, as ?ids="));
  asked.service.Weights(*ids, WhoseMail(asked.request), Shown(done));
}

void ShowVocabulary(const HttpAsked& asked, const HttpApi::OnResponse& done) {
  const auto top = NumberIn(asked.request, "top", 40);
  if (!top) return done(NoNumber("top"));
  const auto skip = NumberIn(asked.request, "skip", 0);
  if (!skip) return done(NoNumber("skip"));
  const std::string_view of = asked.request.Query("class");
  if (!of.empty() && of != "spam" && of != "ham")
    return done(HttpResponse::Problem(400, "expected ?class=spam or ?class=ham"));
  asked.service.Vocabulary({.field = std::string(asked.request.Query("field")),
                            .contains = std::string(asked.request.Query("contains")),
                            .spam = of != "ham",
                            .ham = of != "spam",
                            .skip = *skip,
                            .top = *top},
                           WhoseMail(asked.request), Shown(done));
}

void ExplainKept(const HttpAsked& asked, const HttpApi::OnResponse& done) {
  const auto top = NumberIn(asked.request, "top", 30);
  if (!top) return done(NoNumber("top"));
  const std::string_view key = asked.request.Query("key");
  if (key.empty())
    return done(HttpResponse::Problem(400, "expected ?id=MESSAGE-ID&key=KEY, as /classify says them"));
  asked.service.ExplainKept({ListedMessageId(asked.request.Query("id")), std::string(key)},
                            WhoseMail(asked.request), *top, Explained(done));
}

void ShowDoubt(const HttpAsked& asked, const HttpApi::OnResponse& done) {
  const auto model = asked.service.ModelOf(WhoseMail(asked.request));
  done(model ? OneLine(asked.rules.doubt->State(*model)) : ErrorResponse(model.error()));
}

void StartDoubt(const HttpAsked& asked, const HttpApi::OnResponse& done) {
  const auto model = asked.service.ModelOf(WhoseMail(asked.request));
  if (model && !asked.rules.doubt->Start(*model))
    return done(HttpResponse::Problem(503, "another model is being searched; try again later"));
  ShowDoubt(asked, done);
}

}  // namespace thresher::pipeline
