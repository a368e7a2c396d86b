// The reference pages docs/settings.md and docs/learner-options.md in Markdown, as `thresher config
// --markdown` and `thresher learners --markdown` print them. scripts/make-reference writes them; a test
// compares them.
//
// Thread-safety: prints to standard output.
#pragma once

namespace thresher::pipeline {

void PrintSettingsPage();
void PrintLearnerOptionsPage();

}  // namespace thresher::pipeline
