// The settings of `thresher serve`.
#include <array>
#include <string_view>
#include <vector>

#include "pipeline/settings/entries.h"

namespace thresher::pipeline {
namespace {

constexpr auto kAccess = std::to_array<std::string_view>({"owner", "group", "all"});
constexpr auto kServeLogs = std::to_array<std::string_view>({"all", "changes", "errors"});
constexpr auto kModels = std::to_array<std::string_view>({"one", "domain", "user"});
constexpr auto kMilterUsers = std::to_array<std::string_view>({"none", "local", "address"});

}  // namespace

using namespace entries;  // NOLINT(google-build-using-namespace): they are one vocabulary

std::vector<Setting> ServeSettingsTable() {
  return {
      Whole(
          "serve.threads", [](S& s) { return &s.serve.threads; }, {0, 256},
          "Threads of serve that answer clients and score; 0 means one for each processor core. One more "
          "thread teaches."),
      Switch(
          "serve.users", [](S& s) { return &s.serve.users; },
          "Whether a client of serve names the user whose mail it is, as --user does. Otherwise all mail is "
          "of the user of the setting store.user."),
      Switch(
          "serve.remote", [](S& s) { return &s.serve.remote; },
          "Whether serve may listen on TCP addresses that other machines reach. Nothing is encrypted, so "
          "this is for networks that you trust."),
      Word(
          "serve.access", [](S& s) { return &s.serve.access; }, kAccess,
          "Who may use the Unix sockets of serve: the owner (mode 0600), the group as well (0660), or all "
          "users of the machine (0666)."),
      MaybeEmptyText(
          "serve.run_as", [](S& s) { return &s.serve.run_as; },
          "The user of the machine that serve becomes, for good, if root starts it: after it listens on TCP "
          "addresses, before it makes Unix sockets and opens the store. Empty: it stays the user that "
          "started it."),
      Switch(
          "serve.tell_over_tcp", [](S& s) { return &s.serve.tell_over_tcp; },
          "Whether a client of the spamd protocol may teach over TCP, where nothing says who it is. Over a "
          "Unix socket it may."),
      Path(
          "serve.token_file", [](S& s) { return &s.serve.token_file; },
          "File whose first line is the token that an HTTP client of serve needs to read or change the "
          "model over TCP. A leading ~/ stands for the home directory. Empty: nobody may, but over a Unix "
          "socket."),
      Word(
          "serve.log", [](S& s) { return &s.serve.log; }, kServeLogs,
          "What serve writes to its log: all, one line for each request; changes, one line for each request "
          "that teaches or forgets; errors, none of these. What fails or is refused is always there."),
      Whole(
          "serve.connections", [](S& s) { return &s.serve.connections; }, {1, 1e6},
          "Number of clients that may be connected to serve."),
      Whole(
          "serve.request_bytes", [](S& s) { return &s.serve.request_bytes; }, {1024, 2e9},
          "Bytes of one request to serve, and of a compressed message after it is decompressed."),
      Whole(
          "serve.held_bytes", [](S& s) { return &s.serve.held_bytes; }, {1024, kManyBytes},
          "Bytes of all requests and responses that serve holds at one time."),
      Number(
          "serve.request_seconds", [](S& s) { return &s.serve.request_seconds; }, {0.01, kAWeek},
          "Seconds in which a client of serve must have sent its request, and as many in which it must have "
          "taken the response."),
      Number(
          "serve.idle_seconds", [](S& s) { return &s.serve.idle_seconds; }, {0.01, kAWeek},
          "Seconds after which serve closes a connection on which no request begins."),
      Whole(
          "serve.queue", [](S& s) { return &s.serve.queue; }, {1, 1e6},
          "Number of messages that may wait to be taught by serve."),
      Whole(
          "serve.changes_per_second", [](S& s) { return &s.serve.changes_per_second; }, {0, 1e6},
          "Requests a second that change the model, from one client of serve, ten seconds' worth of them at "
          "once; 0 means no limit. A client is a TCP address or a user of the machine; root and the user "
          "that serve runs as are not limited. Requests without the right token are counted apart, with the "
          "same limit."),
      Whole(
          "serve.recent", [](S& s) { return &s.serve.recent; }, {0, 1e5},
          "Number of the messages judged last that the page of serve shows, with sender and subject. They "
          "are kept in memory only. 0: none."),
      Word(
          "serve.models", [](S& s) { return &s.serve.models; }, kModels,
          "Which models of the store serve answers by. one: that of store.model; domain: for each domain, "
          "what is behind the @ of the user, one of its name; user: one for each user. In lower case. A "
          "client of HTTP may name another one; mail without a name is of store.model."),
      Whole(
          "serve.most_models", [](S& s) { return &s.serve.most_models; }, {1, 1e6},
          "Number of models that the store may have before serve makes no more of them, if it has several."),
      Whole(
          "serve.open_models", [](S& s) { return &s.serve.open_models; }, {1, 1e5},
          "Number of models that serve has open to be taught, if it has several. Those not used for longest "
          "are closed. Each has some 10 open files and a thread."),
      Whole(
          "serve.models_bytes", [](S& s) { return &s.serve.models_bytes; }, {1, kManyBytes},
          "Bytes that the rows of open models may take in memory, if serve has several. Beyond that, those "
          "not used for longest are closed."),
      Number(
          "serve.open_seconds", [](S& s) { return &s.serve.open_seconds; }, {0, kAWeek},
          "Seconds that a message waits at most for its model to be opened or made, if serve has several. "
          "Other messages wait for the thread that waits."),
  };
}

std::vector<Setting> ClusterSettingsTable() {
  return {
      MaybeEmptyText(
          "cluster.log", [](S& s) { return &s.cluster.log; },
          "Servers of NATS JetStream that keep the log from which serve teaches its model, "
          "nats://HOST:4222, several separated by commas. All daemons that follow one log have the same "
          "models. Where no daemon is, learn, feedback and forget follow it themselves. Empty: there is no "
          "log."),
      Text(
          "cluster.stream", [](S& s) { return &s.cluster.stream; },
          "Name of the log that serve follows. The first daemon makes it."),
      Whole(
          "cluster.replicas", [](S& s) { return &s.cluster.replicas; }, {1, 5},
          "Number of servers that keep the log, if serve makes it. With 3, one of them may fail."),
      Path(
          "cluster.credentials_file", [](S& s) { return &s.cluster.credentials_file; },
          "File with the credentials that the servers of the log ask for, as nsc writes it. A leading ~/ "
          "stands for the home directory. Empty: none, or those in cluster.log."),
      Path(
          "cluster.ca_file", [](S& s) { return &s.cluster.ca_file; },
          "File with the certificates of those who may vouch for the servers of the log. The connection is "
          "then encrypted. A leading ~/ stands for the home directory. Empty: it is not."),
      Whole(
          "cluster.outbox_bytes", [](S& s) { return &s.cluster.outbox_bytes; }, {1e6, kManyBytes},
          "Largest size of the file for what serve was taught and the shared log does not have yet, in "
          "bytes. "
          "When the file is full and more than half of it waits, serve takes nothing more."),
      Whole(
          "cluster.digest_every", [](S& s) { return &s.cluster.digest_every; }, {0, 1e9},
          "After so many records of the log each daemon makes a digest of its model, a pass over all rows, "
          "and compares it with those of the others; one whose model is not that of most stops applying. 0: "
          "never. The same for all, or a multiple."),
      Whole(
          "cluster.snapshot_every", [](S& s) { return &s.cluster.snapshot_every; }, {0, 1e9},
          "After so many records of the log one of the daemons gives the servers a snapshot of its model, "
          "and the log loses the records before the last snapshot but one. A daemon that misses those begins "
          "with the snapshot. 0: never, whatever the next two say; then the log only grows."),
      Whole(
          "cluster.snapshot_bytes", [](S& s) { return &s.cluster.snapshot_bytes; }, {0, kManyBytes},
          "The same after records of so many bytes, about. 0: however many they have."),
      Whole(
          "cluster.snapshot_days", [](S& s) { return &s.cluster.snapshot_days; }, {0, 1e6},
          "The same when the first record after the last snapshot is so many days old. 0: however old."),
  };
}

std::vector<Setting> MilterSettingsTable() {
  return {
      Word(
          "milter.user", [](S& s) { return &s.milter.user; }, kMilterUsers,
          "What of the recipient names the user whose mail it is, as --user does, if serve.users is true. "
          "address: all of it; local: what is before the @; none: no user. In lower case, without an "
          "extension after \"+\". Mail to several users has no particular user."),
      Number(
          "milter.reject", [](S& s) { return &s.milter.reject; }, {0, 1},
          "Spam probability from which on the milter has Spam refused; 0 means never."),
      Number(
          "milter.quarantine", [](S& s) { return &s.milter.quarantine; }, {0, 1},
          "Spam probability from which on the milter has Spam put aside by the mail server, which Postfix "
          "does in its queue \"hold\"; 0 means never."),
      Number(
          "milter.idle_seconds", [](S& s) { return &s.milter.idle_seconds; }, {0.01, kAWeek},
          "Seconds after which serve closes a connection of a mail server that says nothing. The server "
          "itself waits for those who send mail, so this is longer than serve.idle_seconds."),
  };
}

}  // namespace thresher::pipeline
