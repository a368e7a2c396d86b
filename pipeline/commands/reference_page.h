// The reference pages docs/settings.md and docs/learner-options.md in Markdown, and what man pages share with
// them.
//
// Called by `thresher reference`, which scripts/make-reference runs; a test compares the pages.
// Thread-safety: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "pipeline/settings/table.h"

namespace thresher::pipeline {

std::string SettingsPage();
std::string LearnerOptionsPage();

// Where settings come from, in Markdown.
std::string_view SettingsIntroduction();
// The default as a reader sees it; empty if it is an empty text.
std::string DefaultOf(const Setting& setting);

}  // namespace thresher::pipeline
