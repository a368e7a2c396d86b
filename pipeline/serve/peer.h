// Where a client of the daemon comes from, and so what it may do.
//
// Made by the server for each connection; sessions ask it. Thread-safety: plain values.
#pragma once

#include <string>

namespace thresher::pipeline {

struct Peer {
  bool over_tcp = false;  // else by a Unix socket, whose permissions say who may connect
  bool is_owner = false;  // by a Unix socket, as the user that the daemon runs as, or as root
  // Under which its requests are counted and logged: "192.0.2.7", the first half of an IPv6 address as
  // "2001:db8::/64", or "user 1000".
  std::string name = {};
};

// Of a socket that was accepted.
Peer PeerOf(int fd, bool over_tcp);

}  // namespace thresher::pipeline
