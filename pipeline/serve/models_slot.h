// What the files of Models have in common: a model that has a service, and who asks it.
//
// Used by them only. Thread-safety: what a Slot's comments say.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/serve/models.h"

namespace thresher::pipeline {

struct Models::Slot {
  std::string name;
  std::string folder;
  std::mutex making_mutex;                // of service, until it is made
  std::unique_ptr<ModelService> service;  // does not change once it is there
  // With the mutex of Models:
  size_t asked = 0;  // by so many
  bool is_open = false;
  std::list<Slot*>::iterator place = {};  // in open_ or images_
};

class Models::Held {
 public:
  // `user`: as the model is asked.
  Held(Models& models, Slot* slot, std::string user, bool insists)
      : models_(&models), slot_(slot), user_(std::move(user)), insists_(insists) {}
  ~Held() {
    if (slot_ != nullptr) models_->Release({&slot_, 1});
  }
  Held(Held&& other) noexcept
      : models_(other.models_),
        slot_(std::exchange(other.slot_, nullptr)),
        user_(std::move(other.user_)),
        insists_(other.insists_) {}
  Held& operator=(Held&&) = delete;

  const std::string& name() const { return slot_->name; }
  ModelService& service() const { return *slot_->service; }
  // Valid while this is.
  Whose whose() const { return {.user = user_, .insists = insists_}; }

 private:
  Models* models_;
  Slot* slot_;
  std::string user_;
  bool insists_;
};

template <class Ask>
void Models::EachService(const Ask& ask) {
  std::vector<Slot*> slots;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, slot] : slots_) {
      ++slot->asked;
      slots.push_back(slot.get());
    }
  }
  for (Slot* const slot : slots) {
    const std::lock_guard lock(slot->making_mutex);
    if (slot->service) ask(*slot->service);
  }
  Release(slots);
}

}  // namespace thresher::pipeline
