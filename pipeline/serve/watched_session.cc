#include "pipeline/serve/watched_session.h"

namespace thresher::pipeline {

void WatchedSession::Respond(std::function<void(Response)> done) {
  session_->Respond([service = service_, peer = peer_, done = std::move(done)](Response response) {
    if (!response.refused.empty()) service->NoteRefused(peer, response.refused);
    done(std::move(response));
  });
}

std::string WatchedSession::Refusal(Trouble trouble) {
  service_->NoteRefused(peer_, trouble == Trouble::kTooLarge  ? refused::kTooLarge
                               : trouble == Trouble::kTooSlow ? refused::kTooSlow
                                                              : refused::kCrowded);
  return session_->Refusal(trouble);
}

MakeSession Watched(MakeSession make, WatchedService& service) {
  return [make = std::move(make), &service](const Peer& peer) {
    return std::make_unique<WatchedSession>(make(peer), service, peer);
  };
}

}  // namespace thresher::pipeline
