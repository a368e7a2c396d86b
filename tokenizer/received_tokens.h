// The way a message came: hosts, IP addresses and the programs that handed it on.
//
// Called by the header tokens with every Received header. Total: whatever looks like a host or an address
// counts as one. Thread-safety: serves one thread.
#pragma once

#include <string>
#include <string_view>

#include "tokenizer/feature_builder.h"

namespace thresher::tokenizer {

class ReceivedTokens {
 public:
  explicit ReceivedTokens(FeatureBuilder* builder) : builder_(builder) {}

  // "received:ip:192.0.2.7" and its /24 "received:ip:192.0.2" and /16 "received:ip:192.0",
  // "received:host:mx.example.com" and the domains above it, "received:word:esmtp".
  void Add(std::string_view value);

 private:
  void AddWord(std::string_view word);

  FeatureBuilder* builder_;
  std::string lower_;
};

}  // namespace thresher::tokenizer
