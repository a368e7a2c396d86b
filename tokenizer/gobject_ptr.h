// Owns one reference to an object of GMime's.
//
// Used by the files that call GMime. Thread-safety: that of the object.
#pragma once

#include <glib-object.h>

#include <memory>

namespace thresher::tokenizer {

struct UnrefGObject {
  void operator()(void* object) const { g_object_unref(object); }
};
template <typename Object>
using GObjectPtr = std::unique_ptr<Object, UnrefGObject>;

}  // namespace thresher::tokenizer
