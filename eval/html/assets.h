// The files that an HTML report is made of, as they were when the program was built. Internal to eval/.
#pragma once

#include <string_view>

namespace thresher::eval::html {

std::string_view
Page();  // with {{style}}, {{data}}, {{licence}}, {{library}}, {{tables}}, {{plots}} where these go
std::string_view Style();
std::string_view Tables();
std::string_view Plots();
std::string_view Library();  // Chart.js; empty if the program was built without it
std::string_view Licence();  // its licence

}  // namespace thresher::eval::html
