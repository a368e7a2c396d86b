// A session whose refused requests are logged and counted.
//
// Between a Connection and the session of its protocol, as WatchedService is between that and the models.
// Made by daemon.cc. Thread-safety: that of Session.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "pipeline/serve/peer.h"
#include "pipeline/serve/session.h"
#include "pipeline/serve/watched_service.h"

namespace thresher::pipeline {

class WatchedSession final : public Session {
 public:
  // `service` must outlive it.
  WatchedSession(std::unique_ptr<Session> session, WatchedService& service, Peer peer)
      : session_(std::move(session)), service_(&service), peer_(std::move(peer)) {}

  size_t Take(std::string_view bytes) override { return session_->Take(bytes); }
  void TakeEnd() override { session_->TakeEnd(); }
  bool HasRequest() const override { return session_->HasRequest(); }
  void Respond(std::function<void(Response)> done) override;
  std::string TakeInterim() override { return session_->TakeInterim(); }
  bool IsAtRest() const override { return session_->IsAtRest(); }
  size_t Held(size_t taken) const override { return session_->Held(taken); }
  bool IsPatient() const override { return session_->IsPatient(); }
  std::string Refusal(Trouble trouble) override;

 private:
  std::unique_ptr<Session> session_;
  WatchedService* service_;
  Peer peer_;
};

// Makes such sessions of those that `make` makes. `service` must outlive them.
MakeSession Watched(MakeSession make, WatchedService& service);

}  // namespace thresher::pipeline
