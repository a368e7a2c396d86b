#include "tokenizer/line_stream.h"

#include <algorithm>
#include <string_view>

namespace thresher::tokenizer {
namespace {

using ReadFunction = ssize_t (*)(GMimeStream* stream, char* buffer, size_t size);

// Of the class that this one is derived from.
ReadFunction read_any = nullptr;

ssize_t ReadLines(GMimeStream* stream, char* buffer, size_t size) {
  const GByteArray* bytes = GMIME_STREAM_MEM(stream)->buffer;
  const auto begin = static_cast<size_t>(std::clamp<gint64>(stream->position, 0, bytes->len));
  const std::string_view next =
      std::string_view(reinterpret_cast<const char*>(bytes->data), bytes->len).substr(begin, size);
  const size_t line_end = next.rfind('\n');
  return read_any(stream, buffer, line_end == std::string_view::npos ? size : line_end + 1);
}

void InitialiseClass(gpointer stream_class, gpointer /*data*/) {
  GMimeStreamClass* const derived = GMIME_STREAM_CLASS(stream_class);
  read_any = derived->read;
  derived->read = ReadLines;
}

GType LineStreamType() {
  static const GType type = [] {
    GTypeQuery base = {};
    g_type_query(GMIME_TYPE_STREAM_MEM, &base);
    GTypeInfo info = {};
    info.class_size = static_cast<guint16>(base.class_size);
    info.class_init = InitialiseClass;
    info.instance_size = static_cast<guint16>(base.instance_size);
    const GType made =
        g_type_register_static(GMIME_TYPE_STREAM_MEM, "ThresherLineStream", &info, GTypeFlags{});
    g_type_class_ref(made);  // calls InitialiseClass before any other thread can have a stream
    return made;
  }();
  return type;
}

}  // namespace

GObjectPtr<GMimeStream> MakeLineStream(GByteArray* bytes) {
  auto* const stream = GMIME_STREAM(g_object_new(LineStreamType(), nullptr));
  g_mime_stream_construct(stream, 0, -1);
  GMIME_STREAM_MEM(stream)->buffer = bytes;
  GMIME_STREAM_MEM(stream)->owner = TRUE;
  return GObjectPtr<GMimeStream>(stream);
}

}  // namespace thresher::tokenizer
