// Tokens of the way a message was delivered: hosts, IP addresses and programs from its Received headers.
//
// Called by the header tokens with every Received header. Accepts any text: whatever looks like a host or an
// address counts as one. Thread-safety: serves one thread.
#pragma once

#include <string>
#include <string_view>

#include "tokenizer/feature_builder.h"

namespace thresher::tokenizer {

class ReceivedTokens {
 public:
  explicit ReceivedTokens(FeatureBuilder* builder) : builder_(builder) {}

  // Adds "received:ip:192.0.2.7" with its /24 "received:ip:192.0.2" and /16 "received:ip:192.0",
  // "received:ip:2001:db8:0:0:0:0:0:1" with its /64 "received:ip:2001:db8:0:0" and /48
  // "received:ip:2001:db8:0", "received:host:mx.example.com" with the domains above it, and
  // "received:word:esmtp".
  void Add(std::string_view value);

 private:
  void AddWord(std::string_view word);
  size_t TakeIpv6Address(std::string_view text);

  FeatureBuilder* builder_;
  std::string lower_;
};

}  // namespace thresher::tokenizer
