// Any bytes as HTTP requests, with their queries and JSON bodies, to the interface before a service without a
// model: each gets one answer of the documented form, and over TCP nothing is taught or shown without the
// token.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/serve/http_api.h"
#include "pipeline/serve/model_name.h"
#include "pipeline/settings/model_name.h"

namespace {

using namespace thresher::pipeline;  // NOLINT(google-build-using-namespace): the service has all of its types
using thresher::tokenizer::Kind;
using thresher::tokenizer::MessageKey;

constexpr size_t kMost = 4000;
constexpr char kToken[] = "t";

void Check(bool holds) {
  if (!holds) std::abort();
}

// Answers as a model does that knows nothing, and notes whether it was asked for more than a verdict.
class EmptyService final : public Service {
 public:
  bool was_entrusted = false;

  Result<Judged> Classify(std::string_view /*message*/, const Whose& whose) override {
    if (const auto model = ModelOf(whose)) Check(IsModelName(*model));
    if (whose.user == "unknown") return tl::unexpected(Error{kBusy, "not ready"});
    Judged judged;
    judged.key = {std::string(whose.user), "0"};
    return judged;
  }
  void Learn(std::string_view /*message*/, const Whose& /*whose*/, const Instruction& /*how*/,
             OnTaught done) override {
    Entrust();
    done(TaughtMessage{});
  }
  void Feedback(const Reply& reply, const Whose& /*whose*/, OnTaught done) override {
    Entrust();
    done(tl::unexpected(Error{kNoInput, reply.message_id}));
  }
  void Foresee(std::string_view /*message*/, const Whose& /*whose*/, const Instruction& /*how*/,
               OnJson done) override {
    Nothing(done);
  }
  void Forget(std::string_view /*message*/, const Whose& /*whose*/, OnForgotten done) override {
    Entrust();
    done(ForgottenMessage{{"a\xff\\", "0"}, false});
  }
  void FindTaught(std::string_view /*message*/, const Whose& /*whose*/, Kind /*kind*/, OnKey done) override {
    Entrust();
    done(MessageKey{"a\xff\\", "0"});
  }
  void FindTaught(const MessageKey& named, const Whose& /*whose*/, OnKey done) override {
    Entrust();
    done(named);
  }
  void ForgetThese(const std::vector<MessageKey>& keys, const Whose& /*whose*/,
                   OnAllForgotten done) override {
    Entrust();
    for (const MessageKey& key : keys) Check(!key.digest.empty());
    done(ForgottenMessages{});
  }
  void ForgetAllOf(const Whose& /*whose*/, OnAllForgotten done) override {
    Entrust();
    done(ForgottenMessages{});
  }
  void Explain(std::string_view /*message*/, const Whose& whose, size_t /*top*/,
               OnExplanation done) override {
    Entrust();
    done(tl::unexpected(Error{kData, std::string(whose.user)}));
  }
  void ExplainKept(const MessageKey& key, const Whose& /*whose*/, size_t /*top*/,
                   OnExplanation done) override {
    Entrust();
    Check(!key.digest.empty());
    done(Explanation{});
  }
  void Counts(const Whose& /*whose*/, OnCounts done) override {
    Entrust();
    done(ModelCounts{});
  }
  void Vocabulary(const VocabularyQuery& /*query*/, const Whose& /*whose*/, OnJson done) override {
    Nothing(done);
  }
  void Statistics(uint64_t /*recent*/, const Whose& /*whose*/, OnJson done) override { Nothing(done); }
  void Weights(const std::vector<uint64_t>& ids, const Whose& /*whose*/, OnJson done) override {
    Check(std::adjacent_find(ids.begin(), ids.end(), std::greater_equal<>()) == ids.end());
    Nothing(done);
  }
  Result<std::string> ModelOf(const Whose& whose) const override {
    Settings settings;
    settings.serve.models = "user";
    return ModelNameOf(whose, settings);
  }
  Result<void> Ready() const override { return {}; }

 private:
  void Entrust() { was_entrusted = true; }
  void Nothing(const OnJson& done) {
    Entrust();
    done(std::string("{}"));
  }
};

void CheckAnswer(const HttpResponse& response) {
  constexpr auto kStatuses = std::to_array({200, 400, 401, 403, 404, 405, 413, 429, 431, 500, 503});
  Check(std::find(kStatuses.begin(), kStatuses.end(), response.status) != kStatuses.end());
  if (response.type == "application/json") Check(nlohmann::json::accept(response.body));
}

void Ask(HttpApi& api, EmptyService& service, const HttpRequest& request, const Peer& peer) {
  if (request.path == "/doubt") return;  // it starts a process
  service.was_entrusted = false;
  int answers = 0;
  api.Answer(request, peer, [&](const HttpResponse& response) {
    ++answers;
    CheckAnswer(response);
  });
  Check(answers == 1);
  const bool knows_token =
      request.Header("authorization").ends_with(kToken) || request.Header("password") == kToken;
  if (peer.over_tcp && !knows_token) Check(!service.was_entrusted);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  EmptyService service;
  const RecentVerdicts recent(1, 0);
  const History history(0);
  DoubtRun doubt({});
  ChangeRate changes(0);
  ChangeRate guesses(0);
  HttpApi api(service, {.figures = [] { return DaemonFigures{.protocols = {}}; },
                        .reload = [] { return Result<void>(); },
                        .recent = &recent,
                        .history = &history,
                        .doubt = &doubt,
                        .changes = &changes,
                        .guesses = &guesses,
                        .describe_log =
                            [](const auto& /*whose*/, const auto& done) {
                              done(tl::unexpected(Error{kNoInput, "no log"}));
                            }});
  api.SetToken(kToken);
  HttpParser parser(kMost);
  for (std::string_view bytes(reinterpret_cast<const char*>(data), size); !bytes.empty();) {
    bytes.remove_prefix(parser.Take(bytes));
    if (!parser.is_done() || parser.problem()) break;
    const HttpRequest request = parser.TakeRequest();
    Ask(api, service, request, {.over_tcp = true});
    Ask(api, service, request, {.over_tcp = false, .is_owner = true});
  }
  return 0;
}
