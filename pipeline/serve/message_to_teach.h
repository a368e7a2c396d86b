// What the files of ModelService that teach have in common.
//
// Used by them only. Thread-safety: plain values.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "pipeline/delivery/meant_message.h"
#include "pipeline/serve/model_service.h"

namespace thresher::pipeline {

// A message on its way into the model. It leaves the spool when what was learned from it is on disk.
struct ModelService::MessageToTeach {
  std::shared_ptr<const Settings> settings;
  OnTaught done;
  std::string message_id;  // as keys have it
  // The message and its features, in the model's thread.
  std::function<Result<MeantMessage>(const Model&, const Spool&)> find;
  Label label = Label::kHam;
  Circumstances circumstances = {};
};

}  // namespace thresher::pipeline
