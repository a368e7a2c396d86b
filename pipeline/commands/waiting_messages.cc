#include "pipeline/commands/waiting_messages.h"

#include <fmt/format.h>

#include "pipeline/commands/running.h"
#include "pipeline/serve/model_service.h"

namespace thresher::pipeline {

void SayIfMessagesWait(const Settings& settings) {
  const auto waiting = WaitingInOutboxOf(settings);
  if (!waiting) {
    Fail(waiting.error());
  } else if (*waiting > 0) {
    Fail({kBusy, fmt::format("{}: {} messages wait for the log of the model that was taught them: no export "
                             "has them, and no other model delivers them (docs/cluster.md)",
                             OutboxOf(settings).string(), *waiting)});
  }
}

}  // namespace thresher::pipeline
