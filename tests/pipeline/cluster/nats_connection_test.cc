// How a node reaches servers that ask who it is, or that it asks: TLS, credentials, passwords; and what it
// says if that fails.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "pipeline/cluster/nats_link.h"
#include "tests/pipeline/cluster/nats_server.h"

namespace thresher::pipeline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

namespace fs = std::filesystem;

// An operator with one account and one user of it, made for this test. They open nothing else.
constexpr char kOperator[] =
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiJQWFBITElaTlRYSU9BR0xBVkpYUUhLQkdWQSIsI"
    "mlhdCI6MTcwMDAwMDAwMCwiaXNzIjoiT0JINElMMk5RSVJUQUJaTVhVVFdVUlZHSTJSN0JBNVFCSzNLMk9VTlk0RDVJT1ZMQ"
    "VpBWERTWFoiLCJuYW1lIjoib3BlcmF0b3IiLCJzdWIiOiJPQkg0SUwyTlFJUlRBQlpNWFVUV1VSVkdJMlI3QkE1UUJLM0syT"
    "1VOWTRENUlPVkxBWkFYRFNYWiIsIm5hdHMiOnsidHlwZSI6Im9wZXJhdG9yIiwidmVyc2lvbiI6Miwic3lzdGVtX2FjY291b"
    "nQiOiJBQ1BMSk5KNUE2WjI2S0ZXVE1QWFlZQktZVFJIRENIWENINTU2V1dBVjVaR0hCQVJZSlBQVEo0RCJ9fQ.llPIjny06p"
    "Ffy8hh0CL214XmFauVeZIKOC5dVKiE2_nuvKAwuw6aoy9NS3cQbImFR8QYgqHdydgW-2mPB4eeCw";
constexpr char kSystem[] = "ACPLJNJ5A6Z26KFWTMPXYYBKYTRHDCHXCH556WWAV5ZGHBARYJPPTJ4D";
constexpr char kSystemText[] =
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiJOU1BENE1QVE01RTZYVlVLNVQ3T1c0N01CRSIsI"
    "mlhdCI6MTcwMDAwMDAwMCwiaXNzIjoiT0JINElMMk5RSVJUQUJaTVhVVFdVUlZHSTJSN0JBNVFCSzNLMk9VTlk0RDVJT1ZMQ"
    "VpBWERTWFoiLCJuYW1lIjoiU1lTIiwic3ViIjoiQUNQTEpOSjVBNloyNktGV1RNUFhZWUJLWVRSSERDSFhDSDU1NldXQVY1W"
    "kdIQkFSWUpQUFRKNEQiLCJuYXRzIjp7InR5cGUiOiJhY2NvdW50IiwidmVyc2lvbiI6MiwibGltaXRzIjp7InN1YnMiOi0xL"
    "CJkYXRhIjotMSwicGF5bG9hZCI6LTEsImltcG9ydHMiOi0xLCJleHBvcnRzIjotMSwid2lsZGNhcmRzIjp0cnVlLCJjb25uI"
    "jotMSwibGVhZiI6LTF9fX0.8-4gJBWQ98E-GSLihEA0awKRbp2sAvDdjp6OBBHY7Lk4A4QdRhsWAm5O3DH6nNchExeFVU2D9"
    "l4ak8s1tJovCQ";
constexpr char kAccount[] = "ADODJK7LEH2PJR6HE5Y23TKORVTTDIQCPLT5SIO7EURF37EFOHWYOATF";
constexpr char kAccountText[] =
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiJMT0hVTlE0N0xJTUI2SlZYVUxCVTIySE9ZNCIsI"
    "mlhdCI6MTcwMDAwMDAwMCwiaXNzIjoiT0JINElMMk5RSVJUQUJaTVhVVFdVUlZHSTJSN0JBNVFCSzNLMk9VTlk0RDVJT1ZMQ"
    "VpBWERTWFoiLCJuYW1lIjoibWFpbCIsInN1YiI6IkFET0RKSzdMRUgyUEpSNkhFNVkyM1RLT1JWVFRESVFDUExUNVNJTzdFV"
    "VJGMzdFRk9IV1lPQVRGIiwibmF0cyI6eyJ0eXBlIjoiYWNjb3VudCIsInZlcnNpb24iOjIsImxpbWl0cyI6eyJzdWJzIjotM"
    "SwiZGF0YSI6LTEsInBheWxvYWQiOi0xLCJpbXBvcnRzIjotMSwiZXhwb3J0cyI6LTEsIndpbGRjYXJkcyI6dHJ1ZSwiY29ub"
    "iI6LTEsImxlYWYiOi0xLCJtZW1fc3RvcmFnZSI6LTEsImRpc2tfc3RvcmFnZSI6LTEsInN0cmVhbXMiOi0xLCJjb25zdW1lc"
    "iI6LTF9fX0.FrFf5_SPKtbZj_CVuOx58vDEfBPN3o7A2QdRKneqlUKVN62M6EU9u9AaFasV_QP9JE3xACkMU9s0roMTzQHVB"
    "A";
constexpr char kUser[] =
    "eyJ0eXAiOiJKV1QiLCJhbGciOiJlZDI1NTE5LW5rZXkifQ.eyJqdGkiOiJRSzdFT0hVVUVETkhCVlY2N1o3SlNFNE5BUSIsI"
    "mlhdCI6MTcwMDAwMDAwMCwiaXNzIjoiQURPREpLN0xFSDJQSlI2SEU1WTIzVEtPUlZUVERJUUNQTFQ1U0lPN0VVUkYzN0VGT"
    "0hXWU9BVEYiLCJuYW1lIjoibm9kZSIsInN1YiI6IlVCVzNBNk5YWFZBVzRQUkRQNk03NlNSS1FDRFFUN1JVUEFGUzVYRlVOV"
    "1pMQzZaT0kySVNCMlVEIiwibmF0cyI6eyJ0eXBlIjoidXNlciIsInZlcnNpb24iOjIsInN1YnMiOi0xLCJkYXRhIjotMSwic"
    "GF5bG9hZCI6LTEsInB1YiI6e30sInN1YiI6e319fQ.upo2YwyEPZKNfbYOoz8W1cdWaBxZ_0_0MboPj9D0DGoEpEbYqWsD9j"
    "Kjy-QtppgGEU5eZPHdj0cUcuG4nwMnCQ";
constexpr char kUserSeed[] = "SUADJS43TPTQKRUGOGQG6AYJD6XSBZPDHBUL3SCT67UI6XI37ORDXTR74I";

// Makes certificates by openssl.
class Authority {
 public:
  explicit Authority(fs::path dir) : dir_(std::move(dir)) {
    fs::create_directories(dir_);
    Run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj "
        "/CN=authority "
        "-keyout ca.key -out ca.pem");
  }
  std::string ca_file() const { return dir_ / "ca.pem"; }
  // What a server at this address needs, as a part of its configuration.
  std::string TlsFor(const std::string& address) const {
    std::ofstream(dir_ / "names") << "subjectAltName=IP:" << address << "\n";
    Run("openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=server -keyout "
        "server.key "
        "-out server.csr && openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days "
        "2 "
        "-extfile names -out server.pem");
    return fmt::format("tls {{ cert_file: \"{0}/server.pem\", key_file: \"{0}/server.key\" }}",
                       dir_.string());
  }

 private:
  void Run(const std::string& command) const {
    ASSERT_EQ(std::system(fmt::format("cd '{}' && ({}) >openssl.log 2>&1", dir_.string(), command).c_str()),
              0);
  }
  fs::path dir_;
};

class NatsConnectionTest : public NatsServerTest {
 protected:
  // Why the log cannot be made; empty if it can.
  static std::string Problem(const ClusterSettings& settings) {
    const auto logs = MakeNatsLogs(settings);
    if (!logs) return logs.error().message;
    const auto made = (*logs)("")->Create();
    return made ? "" : made.error().message;
  }
  static ClusterSettings WithCa(const std::string& url, const std::string& ca_file) {
    ClusterSettings settings = SettingsFor(url);
    settings.ca_file = ca_file;
    return settings;
  }
  // What follows the log's name once `ask` fails as its user was denied something; empty if it never does.
  // The denial may come after the first timeout.
  template <class Ask>
  static std::string DeniedOf(const Ask& ask) {
    for (int tries = 0; tries < 20; ++tries) {
      const auto asked = ask();
      if (asked || asked.error().message.find("denied") == std::string::npos) continue;
      return asked.error().message.substr(asked.error().message.find("cannot "));
    }
    return "";
  }
};

TEST_F(NatsConnectionTest, SaysWhyItCannotConnect) {
  NatsServer server(directory_ / "server", "authorization { user: alice, password: secret }");
  EXPECT_TRUE(LogAt(server.Url("alice:secret@"))->Create().has_value());
  const auto refused = LogAt(server.Url("alice:wrong@"))->Create();
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().message,
              AllOf(HasSubstr("the log 'mail' at " + server.Url() + ": cannot connect: "),
                    HasSubstr("uthori"), Not(HasSubstr("wrong"))));
  const auto at_sign = LogAt(server.Url("alice:wr@ng@"))->Create();
  ASSERT_FALSE(at_sign.has_value());
  EXPECT_THAT(at_sign.error().message,
              AllOf(HasSubstr("the log 'mail' at " + server.Url() + ": "), Not(HasSubstr("ng@"))));
  const std::string gone = server.Url();
  server.Kill();
  EXPECT_THAT(LogAt(gone)->Create().error().message, HasSubstr("cannot connect: No server available"));
}

TEST_F(NatsConnectionTest, PasswordsMayHaveCommasAndAreNotShown) {
  const NatsServer server(directory_ / "server", "authorization { user: alice, password: \"se,cr@et,%41\" }");
  const std::string right = server.Url("alice:se,cr@et,%41@");
  EXPECT_EQ(Problem(SettingsFor(right)), "");
  for (const char* const other : {"nats://127.0.0.1:1", "127.0.0.1:1", "nats://bob:a,b@127.0.0.1:1"}) {
    EXPECT_EQ(Problem(SettingsFor(right + "," + other)), "") << other;
    EXPECT_EQ(Problem(SettingsFor(std::string(other) + "," + right)), "") << other;
  }
  EXPECT_THAT(
      Problem(SettingsFor("nats://alice:se,cret@127.0.0.1:1,nats://bob:pa,ss@127.0.0.1:2,127.0.0.1:3")),
      HasSubstr("the log 'mail' at nats://127.0.0.1:1,nats://127.0.0.1:2,127.0.0.1:3: cannot connect: "));
  // The library would show it as a port.
  EXPECT_THAT(Problem(SettingsFor("nats://127.0.0.1:secret")), Not(HasSubstr("(")));
}

// What docs/cluster.md says that a node's user needs is enough, and what it lacks is named.
TEST_F(NatsConnectionTest, NamesWhatItsUserMayNotDo) {
  const auto server_for = [&](const std::string& name, const std::string& publish) {
    return std::make_unique<NatsServer>(
        directory_ / name,
        fmt::format(R"(authorization {{ users: [{{ user: node, password: secret, permissions: {{
          publish: [{}], subscribe: ["_INBOX.>"] }} }}] }})",
                    publish));
  };
  const std::string asking = R"("$JS.API.>")";
  const std::string writing =
      R"(, "$JS.FC.>", "thresher.mail", "thresher.mail.*", "thresher_snapshots.mail.>",
      "$KV.thresher-mail.>", "$KV.thresher_nodes-mail.>")";
  const auto able = server_for("able", asking + writing);
  const auto whole = LogAt(able->Url("node:secret@"));
  ASSERT_TRUE(whole->Create().has_value());
  EXPECT_TRUE(whole->Publish("1", "bytes").has_value());
  EXPECT_EQ(whole->Read(0, 10, std::chrono::minutes(1)).value().records.size(), 1U);
  EXPECT_EQ(whole->Agree("identity").value(), "identity");
  EXPECT_TRUE(whole->PutEntry("node", "entry").has_value());
  EXPECT_EQ(whole->Entries().value().size(), 1U);
  const auto piece = whole->PutPiece("snapshot", "bytes");
  ASSERT_TRUE(piece.has_value());
  EXPECT_TRUE(whole->GetPieces("snapshot", [](std::string_view) -> Result<void> { return {}; }).has_value());
  EXPECT_TRUE(whole->Announce("snapshot").has_value());
  const auto goes_on = [] { return true; };
  EXPECT_TRUE(whole->DropPieces(*piece + 1, goes_on).has_value());
  EXPECT_TRUE(whole->DropRecords(1, goes_on).has_value());

  const auto server = server_for("unable", asking);
  ClusterSettings impatient = SettingsFor(server->Url("node:secret@"));
  impatient.answer = std::chrono::seconds(2);
  const auto part = LogOf(impatient);
  while (!part->Create()) continue;
  EXPECT_EQ(DeniedOf([&] { return part->Publish("1", "bytes"); }),
            "cannot publish: Timeout (last denied: Permissions Violation for Publish to \"thresher.mail\")");
}

// Without this error the node would apply no record, and report nothing.
TEST_F(NatsConnectionTest, NamesWhatItsUserMayNotRead) {
  const NatsServer server(directory_ / "server", R"(authorization { users: [
    { user: all, password: secret },
    { user: node, password: secret, permissions: { publish: { deny: "$JS.API.CONSUMER.MSG.NEXT.>" } } }] })");
  const auto writer = LogAt(server.Url("all:secret@"));
  ASSERT_TRUE(writer->Create().has_value());
  ASSERT_TRUE(writer->Publish("1", "bytes").has_value());
  const auto log = LogAt(server.Url("node:secret@"));
  EXPECT_THAT(DeniedOf([&] { return log->Read(0, 10, std::chrono::milliseconds(500)); }),
              StartsWith("cannot read: Timeout (last denied: Permissions Violation for Publish to "
                         "\"$JS.API.CONSUMER.MSG.NEXT."));
}

TEST_F(NatsConnectionTest, WhatTheLibrarySaysNothingOfIsNotInParentheses) {
  NatsServer server(directory_ / "server");
  ClusterSettings settings = SettingsFor(server.Url());
  settings.answer = std::chrono::seconds(2);
  const auto log = LogOf(settings);
  while (!log->Create()) continue;
  server.StandStill();
  const auto refused = log->Publish("a", "1");
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().message, "the log 'mail' at " + server.Url() + ": cannot publish: Timeout");
}

TEST_F(NatsConnectionTest, ServersThatTakeOnlyShortMessagesAreRefused) {
  const NatsServer server(directory_ / "server", "max_payload: 5000");
  const auto refused = LogAt(server.Url())->Create();
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().exit_code, kConfig);
  EXPECT_THAT(refused.error().message, HasSubstr("take messages of 5000 bytes; set their max_payload"));
}

TEST_F(NatsConnectionTest, AServerWithoutJetStreamIsNoLog) {
  const NatsServer server(directory_ / "server", "jetstream: false");
  EXPECT_THAT(Problem(SettingsFor(server.Url())),
              HasSubstr("the log 'mail' at " + server.Url() + ": cannot "));
}

// It is not one that cannot be reached.
TEST_F(NatsConnectionTest, ALogThatWasRemovedSaysSo) {
  NatsServer server(directory_ / "server");
  const ClusterSettings settings = SettingsFor(server.Url());
  const auto log = LogOf(settings);
  ASSERT_TRUE(log->Create().has_value());
  ASSERT_EQ(log->Publish("a", "1"), 1U);
  const auto link = *NatsLink::Connect(**NatsLibrary::Get(), settings);
  natsMsg* answer = nullptr;
  ASSERT_EQ(link->nats->natsConnection_RequestString(&answer, link->connection, "$JS.API.STREAM.DELETE.mail",
                                                     "", settings.answer.count()),
            NATS_OK);
  link->nats->natsMsg_Destroy(answer);
  const auto is_removed = [](const auto& asked) {
    return !asked && asked.error().exit_code == kData &&
           asked.error().message.ends_with("was removed: the servers have no stream of that name");
  };
  EXPECT_TRUE(is_removed(log->After(0)));
  EXPECT_TRUE(is_removed(log->Last()));
  EXPECT_TRUE(is_removed(log->Read(0, 9, std::chrono::milliseconds(10))));
  EXPECT_EQ(log->Agreed().value(), std::nullopt);
}

TEST_F(NatsConnectionTest, SpeaksTlsWithServersThatTheAuthorityVouchesFor) {
  if (std::system("command -v openssl >/dev/null") != 0) GTEST_SKIP() << "openssl is not installed";
  const Authority authority(directory_ / "authority");
  const Authority another(directory_ / "another");
  const NatsServer server(directory_ / "server", authority.TlsFor("127.0.0.1"));
  const auto log = LogOf(WithCa(server.Url(), authority.ca_file()));
  const auto made = log->Create();
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(log->Publish("a", "text"), 1U);
  EXPECT_EQ(log->Read(0, 1, std::chrono::minutes(1))->records.at(0).bytes, "text");
  EXPECT_THAT(Problem(WithCa(server.Url(), another.ca_file())), HasSubstr("cannot connect: "));
  EXPECT_THAT(Problem(SettingsFor(server.Url())), HasSubstr("cannot connect: "));
}

TEST_F(NatsConnectionTest, ACertificateOfAnotherAddressIsRefused) {
  if (std::system("command -v openssl >/dev/null") != 0) GTEST_SKIP() << "openssl is not installed";
  const Authority authority(directory_ / "authority");
  const NatsServer server(directory_ / "server", authority.TlsFor("127.0.0.2"));
  EXPECT_THAT(Problem(WithCa(server.Url(), authority.ca_file())), HasSubstr("cannot connect: "));
}

TEST_F(NatsConnectionTest, AServerWithoutTlsIsRefusedIfTlsIsAskedFor) {
  if (std::system("command -v openssl >/dev/null") != 0) GTEST_SKIP() << "openssl is not installed";
  const Authority authority(directory_ / "authority");
  const NatsServer server(directory_ / "server");
  EXPECT_THAT(Problem(WithCa(server.Url(), authority.ca_file())), HasSubstr("cannot connect: "));
}

TEST_F(NatsConnectionTest, ShowsItsCredentials) {
  const NatsServer server(
      directory_ / "server",
      fmt::format(
          "operator: {}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload: {{\n  {}: {}\n  {}: {}\n}}",
          kOperator, kSystem, kSystem, kSystemText, kAccount, kAccountText));
  const auto write = [&](const char* name, const std::string& seed) {
    std::ofstream(directory_ / name) << fmt::format(
        "-----BEGIN NATS USER JWT-----\n{}\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY "
        "SEED-----\n{}\n"
        "------END USER NKEY SEED------\n",
        kUser, seed);
    return directory_ / name;
  };
  ClusterSettings settings = SettingsFor(server.Url());
  settings.credentials_file = write("right", kUserSeed);
  EXPECT_EQ(Problem(settings), "");
  EXPECT_THAT(Problem(SettingsFor(server.Url())), HasSubstr("uthori"));
  // The seed of another user.
  settings.credentials_file = write("wrong", "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY");
  EXPECT_THAT(Problem(settings), AllOf(HasSubstr("cannot connect: "), HasSubstr("uthori")));
}

TEST_F(NatsConnectionTest, FilesThatCannotBeReadAreNamed) {
  const NatsServer server(directory_ / "server");
  EXPECT_THAT(Problem(WithCa(server.Url(), directory_ / "none.pem")),
              AllOf(HasSubstr("none.pem"), HasSubstr("cluster.ca_file")));
  std::ofstream(directory_ / "empty") << "no certificate\n";
  EXPECT_THAT(Problem(WithCa(server.Url(), directory_ / "empty")),
              AllOf(HasSubstr("empty"), HasSubstr("cluster.ca_file")));
  ClusterSettings settings = SettingsFor(server.Url());
  settings.credentials_file = directory_ / "none.creds";
  EXPECT_THAT(Problem(settings), AllOf(HasSubstr("none.creds"), HasSubstr("cluster.credentials_file")));
}

}  // namespace
}  // namespace thresher::pipeline
