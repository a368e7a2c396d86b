// What is read of the objects that GMime's parser makes: their headers, and which part is the body.
//
// Called by mime.cc. The objects are of what BoundStructure makes of a message (mime_guard.h). Thread-safety:
// that of GMime's objects.
#pragma once

#include <gmime/gmime.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tokenizer/part_description.h"

namespace thresher::tokenizer {

MimeHeaders HeadersOfObject(GMimeObject* object);

// What mail programs show of the head of an embedded message, as it stands there.
struct ShownHeaders {
  std::string from;
  std::string subject;
};
ShownHeaders ShownHeadersOf(GMimeMessage* message);

// Finds the part of a multipart/related that is its root (RFC 2387). The others belong to it, as pictures do,
// and mail programs show none of them as the body.
class RelatedRoots {
 public:
  // `content`: gives the content of a part of the message, still encoded.
  explicit RelatedRoots(std::function<std::string_view(GMimePart*)> content) : content_(std::move(content)) {}

  // The number of the root: the part that the parameter "start" names, or else the first. But a message whose
  // body is behind a picture, a file, a blank text or an empty multipart is shown, too: if other parts show
  // more (Shows), it is the first of these. 0 if there are no parts.
  //
  // For one message with all that is nested in it, all calls together take time linear in its bytes: an
  // object of it is looked into once. Its objects must live as long as this.
  int RootOf(GMimeMultipart* related);

 private:
  // What an object shows as a body, or of a multipart, the part of it that shows most.
  enum class Shows : uint8_t {
    kNothing,      // no text, one that is an attachment, or one of white space only, as it is encoded
    kUnknownText,  // a text that few programs show, such as text/css
    kText
  };

  Shows WhatShows(GMimeObject* object);
  Shows LookInto(GMimeObject* object);
  Shows LookIntoPart(GMimePart* part) const;

  std::function<std::string_view(GMimePart*)> content_;
  std::unordered_map<GMimeObject*, Shows> known_;
};

}  // namespace thresher::tokenizer
