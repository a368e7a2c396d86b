#include "pipeline/commands/lost_examples.h"

#include <fmt/format.h>

#include "pipeline/terminal/token_text.h"
#include "storage/database.h"

namespace thresher::pipeline {

void SayIfExamplesAreLost(const std::filesystem::path& dir) {
  const auto whole = storage::Database::CheckLog(dir);
  if (!whole && whole.error().kind == storage::ErrorKind::kCorrupt)
    fmt::print(stderr, "thresher: {}; what comes before is used\n", Printable(whole.error().message));
}

}  // namespace thresher::pipeline
