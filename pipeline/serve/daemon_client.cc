#include "pipeline/serve/daemon_client.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>

#include "pipeline/opening/opening.h"
#include "pipeline/serve/service.h"
#include "pipeline/serve/unix_address.h"
#include "pipeline/settings/model_name.h"
#include "pipeline/terminal/token_text.h"

namespace thresher::pipeline {
namespace {

Error Failed(std::string_view what) { return {kIo, fmt::format("the daemon that owns the model {}", what)}; }

Error DoesNotAnswer() { return {kBusy, "the daemon that owns the model does not answer; try again later"}; }

// How long a daemon may be silent before it is asked whether it lives; some requests take long.
std::chrono::seconds PatienceOf(const Settings& settings) {
  return std::chrono::seconds(static_cast<int64_t>(std::clamp(settings.wait_seconds, 1.0, 3600.0)));
}

// A new model is made as the daemon's settings say.
Result<void> CheckMakesAsAsked(const Settings& settings) {
  for (const auto& [key, named] : settings.named) {
    const bool is_recorded = key == "log.holds" || key.starts_with("learner.") ||
                             key.starts_with("rehearsal.") || key.starts_with("features.") ||
                             key.starts_with("limits.");
    if (!is_recorded || named.in_file) continue;
    return tl::unexpected(Error{
        kConfig, fmt::format("{} cannot be chosen here: the daemon of this store makes the model {}, by its "
                             "own settings; make the model while it does not run, or without {}",
                             key, settings.model, named.place)});
  }
  return {};
}

// For a part of a query: letters and digits stay.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_plain) {
      escaped.push_back(c);
    } else {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

std::string_view NameOf(tokenizer::Kind kind) {
  return kind == tokenizer::Kind::kDocument ? "document" : "mail";
}

// Bytes that are no UTF-8 cannot be sent.
std::string TextOf(const nlohmann::json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

int ExitCodeOf(int status) {
  switch (status) {
    case 400:
    case 413:
      return kData;
    case 404:
      return kNoInput;
    case 503:
      return kBusy;
    default:
      return kIo;
  }
}

struct DaemonAnswer {
  int status = 0;
  bool closes = false;  // the daemon takes no more requests on this connection
  std::string body;
};

// Of our own daemon: a status line, headers with Content-Length, a body. Nothing if it is not whole, or the
// daemon is silent for long and `lives` says that it is dead.
std::optional<DaemonAnswer> ReadAnswer(int fd, const std::function<bool()>& lives) {
  std::string bytes;
  size_t wanted = 0;  // bytes in all; 0: not known
  size_t body = 0;
  std::array<char, 16384> part;  // NOLINT(cppcoreguidelines-pro-type-member-init): it is read into
  while (wanted == 0 || bytes.size() < wanted) {
    const ssize_t count = ::recv(fd, part.data(), part.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN && lives()) continue;
    if (count <= 0) return std::nullopt;
    bytes.append(part.data(), static_cast<size_t>(count));
    const size_t end = bytes.find("\r\n\r\n");
    if (wanted != 0 || end == std::string::npos) continue;
    constexpr std::string_view kLength = "Content-Length: ";
    const size_t at = bytes.find(kLength);
    if (at == std::string::npos || at > end) return std::nullopt;
    size_t length = 0;
    std::from_chars(bytes.data() + at + kLength.size(), bytes.data() + end, length);
    body = end + 4;
    wanted = body + length;
  }
  DaemonAnswer answer;
  constexpr size_t kStatusAt = std::string_view("HTTP/1.1 ").size();
  std::from_chars(bytes.data() + kStatusAt, bytes.data() + kStatusAt + 3, answer.status);
  answer.closes =
      std::string_view(bytes).substr(0, body).find("\r\nConnection: close\r\n") != std::string_view::npos;
  answer.body = bytes.substr(body);
  return answer;
}

// Not open: nobody listens there. kBusy: the daemon takes no connection for so long. Nor does it send or
// receive then.
Result<storage::Descriptor> Connected(const std::filesystem::path& where, std::chrono::seconds patience) {
  const auto address = UnixAddress::Of(where.string());
  if (!address) return storage::Descriptor();  // no such folder
  storage::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket.is_open())
    return tl::unexpected(Failed(fmt::format("cannot be asked: {}", std::strerror(errno))));
  const timeval limit{.tv_sec = patience.count(), .tv_usec = 0};
  for (const int direction : {SO_RCVTIMEO, SO_SNDTIMEO})
    ::setsockopt(socket.number(), SOL_SOCKET, direction, &limit, sizeof limit);
  int connected = -1;
  do connected = ::connect(socket.number(), address->get(), UnixAddress::size());
  while (connected != 0 && errno == EINTR);
  if (connected == 0) return socket;
  if (errno == EAGAIN) return tl::unexpected(DoesNotAnswer());
  return storage::Descriptor();
}

// As storage::WriteAll; false as well if the daemon takes nothing for long and `lives` says that it is dead.
bool SendAll(int fd, std::string_view bytes, const std::function<bool()>& lives) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR && !(errno == EAGAIN && lives())) return false;
    if (count > 0) bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

bool Lives(const std::filesystem::path& where, std::chrono::seconds patience) {
  const auto socket = Connected(where, patience);
  if (!socket || !socket->is_open()) return false;
  if (!SendAll(socket->number(), "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n", [] { return false; }))
    return false;
  char byte = 0;
  ssize_t count = 0;
  do count = ::recv(socket->number(), &byte, 1, 0);
  while (count < 0 && errno == EINTR);
  return count == 1;
}

}  // namespace

// Not in `dir`, which must be empty to become a new model.
std::filesystem::path ControlSocket(const std::filesystem::path& dir) {
  return std::filesystem::path(dir) += kSocketEnd;
}

std::filesystem::path StoreSocket(const std::filesystem::path& store) { return store / kSocketEnd; }

Foresight ForesightOf(const nlohmann::json& answer) {
  return {.can_judge = answer.value("can_judge", false),
          .is_known = answer.value("known", false),
          .corrects = answer.value("corrects", false),
          .margin = answer.value("margin", 0.0)};
}

RecentExamples RecentOf(const nlohmann::json& answer) {
  return {.examples = answer.value("recent", uint64_t{0}),
          .contradicted = answer.value("recent_contradicted", uint64_t{0})};
}

Result<std::optional<DaemonClient>> DaemonClient::Find(const Settings& settings) {
  const std::filesystem::path directory = ModelDirectory(settings);
  for (const std::filesystem::path& where : {ControlSocket(directory), StoreSocket(settings.store_path)}) {
    auto socket = Connected(where, PatienceOf(settings));
    if (!socket) return tl::unexpected(socket.error());
    if (!socket->is_open()) continue;
    DaemonClient client(where, *std::move(socket),
                        fmt::format("user={}&model={}", Escaped(settings.user), Escaped(settings.model)),
                        PatienceOf(settings));
    const auto scorer = OpenScorer(directory, settings);
    if (!scorer && scorer.error().exit_code == kConfig) return tl::unexpected(scorer.error());
    if (!scorer && scorer.error().exit_code == kNoInput) {
      if (auto may = CheckMakesAsAsked(settings); !may) return tl::unexpected(may.error());
    }
    return client;
  }
  return std::nullopt;
}

// A daemon closes a connection on which no request begins for a while, and says nothing without a request.
Result<void> DaemonClient::Renew() {
  char byte = 0;
  if (socket_.is_open() && ::recv(socket_.number(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN)
    return {};
  socket_.Close();
  auto socket = Connected(where_, patience_);
  if (!socket) return tl::unexpected(socket.error());
  if (!socket->is_open()) return tl::unexpected(Failed("has ended"));
  socket_ = *std::move(socket);
  return {};
}

Result<TeachResult> DaemonClient::Learn(std::string_view message, tokenizer::Kind kind, Label label,
                                        const Circumstances& circumstances) {
  return AskToTeach(
      fmt::format("/learn?label={}&kind={}&stream={}&turns={}&self_taught={}", pipeline::NameOf(label),
                  NameOf(kind), circumstances.streamed, circumstances.turns, circumstances.self_taught),
      message);
}

Result<TeachResult> DaemonClient::Feedback(const Reply& reply) {
  const nlohmann::json body = {
      {"label", pipeline::NameOf(reply.label)}, {"id", Listable(reply.message_id)}, {"key", reply.digest}};
  return AskToTeach("/feedback?", TextOf(body));
}

Result<Foresight> DaemonClient::Foresee(std::string_view message, tokenizer::Kind kind, Label label) {
  const auto answer =
      Ask("POST", fmt::format("/foresee?label={}&kind={}", pipeline::NameOf(label), NameOf(kind)), message);
  // The model does not exist, and would be made with the first message that it is taught.
  if (!answer && answer.error().exit_code == kNoInput) return Foresight();
  if (!answer) return tl::unexpected(answer.error());
  return ForesightOf(*answer);
}

Result<TeachResult> DaemonClient::AskToTeach(std::string_view target, std::string_view body) {
  const auto answer = Ask("POST", target, body);
  if (!answer) return tl::unexpected(answer.error());
  const auto result =
      std::ranges::find(kTeachResults, answer->value("result", std::string()), &TeachResultWords::name);
  if (result == kTeachResults.end()) return tl::unexpected(Failed("gave an answer that says nothing"));
  return static_cast<TeachResult>(result - kTeachResults.begin());
}

Result<tokenizer::MessageKey> DaemonClient::FindTaught(std::string_view message, tokenizer::Kind kind) {
  return AskForKey("POST", fmt::format("/taught?kind={}", NameOf(kind)), message);
}

Result<tokenizer::MessageKey> DaemonClient::FindTaught(std::string_view message_id, std::string_view digest) {
  return AskForKey("GET", fmt::format("/taught?id={}&key={}", Escaped(Listable(message_id)), Escaped(digest)),
                   "");
}

// In portions that the daemon takes, however long a Message-ID is (http_json.cc).
Result<ForgottenMessages> DaemonClient::Forget(const std::vector<tokenizer::MessageKey>& keys) {
  constexpr size_t kPortion = 2000;
  ForgottenMessages all;
  for (size_t begin = 0; begin < keys.size(); begin += kPortion) {
    nlohmann::json messages = nlohmann::json::array();
    for (const tokenizer::MessageKey& key :
         std::span(keys).subspan(begin).first(std::min(kPortion, keys.size() - begin)))
      messages.push_back({{"id", Listable(key.message_id)}, {"key", key.digest}});
    auto some = AskToForget({{"messages", std::move(messages)}});
    if (!some) return some;
    all.messages += some->messages;
    all.examples += some->examples;
    all.spooled += some->spooled;
  }
  return all;
}

Result<ForgottenMessages> DaemonClient::ForgetAll() { return AskToForget({{"all", true}}); }

Result<tokenizer::MessageKey> DaemonClient::AskForKey(std::string_view method, std::string_view target,
                                                      std::string_view body) {
  const auto answer = Ask(method, target, body);
  if (!answer) return tl::unexpected(answer.error());
  return tokenizer::MessageKey{ListedMessageId(answer->value("id", std::string())),
                               answer->value("key", std::string())};
}

Result<ForgottenMessages> DaemonClient::AskToForget(const nlohmann::json& body) {
  const auto answer = Ask("POST", "/forget-taught?", TextOf(body));
  if (!answer) return tl::unexpected(answer.error());
  return ForgottenMessages{.messages = answer->value("messages", uint64_t{0}),
                           .examples = answer->value("examples", uint64_t{0}),
                           .spooled = answer->value("spooled", uint64_t{0})};
}

Result<nlohmann::json> DaemonClient::Counts() { return Ask("GET", "/counts?", ""); }

Result<nlohmann::json> DaemonClient::Log() { return Ask("GET", "/log?", ""); }

Result<bool> DaemonClient::FollowsLog() {
  return Ask("GET", "/ready?", "").map([](const nlohmann::json& answer) { return answer.contains("log"); });
}

Result<RecentExamples> DaemonClient::Recent(uint64_t most) {
  const auto answer = Ask("GET", fmt::format("/stats?recent={}", most), "");
  if (!answer) return tl::unexpected(answer.error());
  return RecentOf(*answer);
}

Result<nlohmann::json> DaemonClient::Ask(std::string_view method, std::string_view target,
                                         std::string_view body) {
  std::string request = fmt::format("{} {}&{} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n",
                                    method, target, whose_, body.size());
  request += body;
  if (auto renewed = Renew(); !renewed) return tl::unexpected(renewed.error());
  // What it said before it closed may explain why it takes no more.
  bool lives = true;
  const auto ask_whether = [&] { return lives = Lives(where_, patience_); };
  const bool is_sent = SendAll(socket_.number(), request, ask_whether);
  const std::optional<DaemonAnswer> answer = lives ? ReadAnswer(socket_.number(), ask_whether) : std::nullopt;
  if (!answer || answer->closes) socket_.Close();
  if (!lives) return tl::unexpected(DoesNotAnswer());
  if (!answer) return tl::unexpected(Failed(is_sent ? "gave no answer" : "has closed the connection"));
  nlohmann::json found = nlohmann::json::parse(answer->body, nullptr, false);
  if (answer->status == 200 && found.is_object()) return found;
  const std::string why =
      found.is_object() ? found.value("error", std::string()) : "an answer that is no JSON";
  return tl::unexpected(Error{ExitCodeOf(answer->status), why});
}

}  // namespace thresher::pipeline
