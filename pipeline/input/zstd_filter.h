// zstd as a Boost.Iostreams filter. Unlike Boost's own, it reports a truncated file as an error.
//
// Used by byte_stream.cc. Thread-safety: one thread.
#pragma once

#include <zstd.h>

#include <boost/iostreams/concepts.hpp>
#include <boost/iostreams/operations.hpp>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

namespace thresher::pipeline {

class ZstdFilter : public boost::iostreams::multichar_input_filter {
 public:
  ZstdFilter() : state_(std::make_shared<State>()) {}

  template <class Source>
  std::streamsize read(Source& source, char* out, std::streamsize capacity) {
    State& state = *state_;
    ZSTD_outBuffer output{out, static_cast<size_t>(capacity), 0};
    while (output.pos == 0) {
      if (state.input.pos == state.input.size && !state.pending && !Refill(source)) {
        if (state.in_frame) throw std::runtime_error("unexpected end of data");
        return -1;
      }
      const size_t left = ZSTD_decompressStream(state.stream.get(), &output, &state.input);
      if (ZSTD_isError(left) != 0) throw std::runtime_error(ZSTD_getErrorName(left));
      state.in_frame = left != 0;
      state.pending = state.in_frame && output.pos == output.size;
    }
    return static_cast<std::streamsize>(output.pos);
  }

 private:
  // Boost copies filters into its chain, so the state is shared.
  struct State {
    std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream{ZSTD_createDStream(),
                                                                      &ZSTD_freeDStream};
    std::vector<char> buffer = std::vector<char>(ZSTD_DStreamInSize());
    ZSTD_inBuffer input{buffer.data(), 0, 0};
    bool in_frame = false;  // the frame's last byte has not been seen
    bool pending = false;   // the output was full, so that there may be more without more input
    State() {
      if (stream == nullptr) throw std::bad_alloc();
    }
  };

  template <class Source>
  bool Refill(Source& source) {
    State& state = *state_;
    const auto capacity = static_cast<std::streamsize>(state.buffer.size());
    const std::streamsize count = boost::iostreams::read(source, state.buffer.data(), capacity);
    if (count <= 0) return false;
    state.input = {state.buffer.data(), static_cast<size_t>(count), 0};
    return true;
  }

  std::shared_ptr<State> state_;
};

}  // namespace thresher::pipeline
