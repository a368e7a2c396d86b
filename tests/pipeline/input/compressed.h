// Bytes compressed for tests.
#pragma once

#include <string>
#include <string_view>

namespace thresher::pipeline {

// `format`: gzip, bzip2, xz or zstd.
std::string Compressed(std::string_view format, std::string_view bytes);

}  // namespace thresher::pipeline
