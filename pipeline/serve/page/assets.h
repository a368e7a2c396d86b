// The files of the daemon's page, embedded at build time.
//
// Called by page_requests.cc. Thread-safety: constants.
#pragma once

#include <string_view>

namespace thresher::pipeline::page {

std::string_view Index();
std::string_view Style();
std::string_view Ask();
std::string_view Message();
std::string_view Stream();
std::string_view Vocabulary();
std::string_view Figures();
std::string_view Doubt();
std::string_view Start();

}  // namespace thresher::pipeline::page
