// What is read of the objects that GMime's parser makes: their headers, and which part is the body.
//
// Called by mime.cc. The objects are of what BoundStructure makes of a message (mime_guard.h). Thread-safety:
// that of GMime's objects.
#pragma once

#include <gmime/gmime.h>

#include "tokenizer/part_description.h"

namespace thresher::tokenizer {

MimeHeaders HeadersOfObject(GMimeObject* object);

// The number of the part of a multipart/related that is its root (RFC 2387): the one that the parameter
// "start" names, or the first. The others belong to it, as pictures do, and mail programs show none of them
// as the body. If the root has no text, that is, it is none and no multipart with one, the first part with
// text counts: a message whose body is behind a picture or an empty multipart is shown, too. 0 if no part has
// text. Linear in the number of parts below.
int RootOfRelated(GMimeMultipart* related, PartDescriptions* descriptions);

}  // namespace thresher::tokenizer
