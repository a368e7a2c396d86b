// The settings of `thresher serve` and its milter, parts of Settings.
//
// Used by settings.h and milter_session.h. Thread-safety: plain values.
#pragma once

#include <cstdint>
#include <string>

namespace thresher::pipeline {

struct ServeSettings {
  uint64_t threads = 0;          // 0: one per core
  bool users = true;             // clients may name the user
  bool remote = false;           // TCP addresses other than loopback may be listened on
  std::string access = "owner";  // to Unix sockets: owner, group, all
  std::string run_as;            // the user that a daemon of root becomes; empty: none
  bool tell_over_tcp = false;
  std::string token_file;   // empty: nobody may teach by HTTP over TCP
  std::string log = "all";  // all, changes, errors

  uint64_t connections = 10000;
  uint64_t request_bytes = uint64_t{64} << 20;
  uint64_t held_bytes = uint64_t{512} << 20;
  double request_seconds = 60;
  double idle_seconds = 120;
  uint64_t queue = 1000;
  uint64_t changes_per_second = 100;  // of one client; 0: no limit
  uint64_t recent = 500;              // messages that the page shows

  std::string models = "one";  // what names the model of a message: one, domain, user
  uint64_t most_models = 10000;
  uint64_t open_models = 100;
  uint64_t models_bytes = uint64_t{1} << 30;
  double open_seconds = 2;
};

struct MilterSettings {
  std::string user = "address";  // what of the recipient names the user: none, local, address
  double reject = 0;             // 0: never
  double quarantine = 0;
  double idle_seconds = 7200;
};

}  // namespace thresher::pipeline
