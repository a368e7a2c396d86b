// One conversation with a client in one protocol, without a socket.
//
// Called by Connection, which gives it the client's bytes and writes its responses. It reads one request at
// a time: while a request waits for its response nothing more is taken. Thread-safety: one call at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "pipeline/serve/peer.h"

namespace thresher::pipeline {

// Why a request is refused before the model is asked, as the log says it.
namespace refused {
inline constexpr std::string_view kMalformed = "malformed";
inline constexpr std::string_view kTooLarge = "too-large";
inline constexpr std::string_view kTooSlow = "too-slow";
inline constexpr std::string_view kTooFast = "too-fast";  // too many changes
inline constexpr std::string_view kCrowded = "crowded";
inline constexpr std::string_view kUnknown = "unknown";  // there is no such path
inline constexpr std::string_view kNoToken = "no-token";
inline constexpr std::string_view kElsewhere = "elsewhere";  // a page of another host asks
inline constexpr std::string_view kNotAllowed = "not-allowed";
}  // namespace refused

struct Response {
  std::string bytes;
  bool closes = true;             // nothing follows it
  std::string_view refused = {};  // one of those above, if it is a refusal
};

// Why a connection ends a conversation before its request is complete, or as it begins.
enum class Trouble {
  kTooLarge,  // the request
  kTooSlow,   // it has not come in time
  kCrowded,   // too many connections, or too much memory held by requests
};

class Session {
 public:
  virtual ~Session() = default;

  // Takes bytes up to the end of a request; returns how many.
  virtual size_t Take(std::string_view bytes) = 0;
  // The client sends no more.
  virtual void TakeEnd() = 0;
  // Whether there is a request, well-formed or not, to respond to.
  virtual bool HasRequest() const = 0;
  // Calls done(response) once, in any thread, perhaps before it returns; keeps nothing of the request that it
  // does not need for that, and nothing at all after it. REQUIRES: HasRequest(). The session outlives the
  // call.
  virtual void Respond(std::function<void(Response)> done) = 0;
  // What the client is told at once, before its request is complete ("100 Continue"); mostly nothing.
  virtual std::string TakeInterim() { return {}; }
  // Whether all that it took is complete and needs no response, so that no request has begun.
  virtual bool IsAtRest() const { return false; }
  // How many bytes it keeps, of `taken` bytes of the present request.
  virtual size_t Held(size_t taken) const { return taken; }
  // Whether its clients hold connections open while they wait for others, as mail servers do.
  virtual bool IsPatient() const { return false; }
  // How this protocol says so. Called once, when it is said, as the log may have it.
  virtual std::string Refusal(Trouble trouble) = 0;
};

using MakeSession = std::function<std::unique_ptr<Session>(const Peer&)>;

}  // namespace thresher::pipeline
