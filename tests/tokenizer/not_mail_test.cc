// What is recognised as no message, and that nothing else is.
#include "tokenizer/not_mail.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/tokenizer/spamassassin.h"

namespace thresher::tokenizer {
namespace {

constexpr char kFolderData[] =
    "From MAILER-DAEMON Fri Jul  8 12:08:34 2011\n"
    "Date: 08 Jul 2011 12:08:34 -0400\n"
    "From: Mail System Internal Data <MAILER-DAEMON@host.example>\n"
    "Subject: DON'T DELETE THIS MESSAGE -- FOLDER INTERNAL DATA\n"
    "Message-ID: <1310141314@host.example>\n"
    "X-IMAP: 1310141314 0000000000\n"
    "Status: RO\n\n"
    "This text is part of the internal format of your mail folder, and is not\na real message.\n";

TEST(NotMail, WhatLiesBesideMail) {
  for (const std::string& bytes : {
           std::string(),
           std::string("root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534::/:/bin/false\n"),
           std::string("\x7f"
                       "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0",
                       20),
           std::string("PK\x03\x04\x14\0\0\0\x08\0", 10),
           std::string("3 V1275660208 N25022 Gb1a2\n1 :1275660208.M1P2.host\n"),  // a list of UIDs
           std::string("0 $Forwarded\n1 $MDNSent\n"),
           std::string("// <!-- <mdb:mork:z v=\"1.4\"/> -->\n< <(a=c)> // (f=iso-8859-1)\n"),
           std::string("cur: 12\nunseen: 13-15\n"),
           std::string("#!/bin/sh\necho hello\n"),
           std::string("{\"name\": \"value\"}\n"),
           std::string("Dear all, this is a text.\n\nFrom: nobody\n"),
           std::string(kFolderData),
       }) {
    EXPECT_NE(WhyNotMail(bytes), "") << bytes;
  }
  EXPECT_EQ(WhyNotMail(std::string("\x89PNG\r\n\x1a\n\0\0", 10)), "binary data");
}

TEST(NotMail, Mail) {
  std::string delivered(kFolderData);
  delivered.insert(delivered.find("Date:"), "Received: from mx.example by host.example; 8 Jul 2011\n");
  for (const std::string& bytes : {
           delivered,
           std::string("subject: x"),
           std::string("SUBJECT : x\r\n\r\n\0\0\0", 18),
           std::string("root: x\nReceived: from a by b\n\nbody"),
           std::string("From joe@example.com Thu Aug 22 12:36:23 2002\n\nonly a body\n"),
           std::string("X-Thresher: Unsure, probability=0.5, version=0.1.0\n\nonly a body\n"),
           std::string("Content-Type: text/plain\n\n"),
           std::string("Subject: about FOLDER INTERNAL DATA\n\nI found such a message.\n"),
       }) {
    EXPECT_EQ(WhyNotMail(bytes), "") << bytes;
  }
}

TEST(NotMail, AnyBytesGetAnAnswerAndAHeaderMakesThemMail) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random() % 300, '\0');
    for (char& byte : bytes) byte = random() % 3 == 0 ? static_cast<char>(random()) : ":\n aR-"[random() % 6];
    WhyNotMail(bytes);
    if (bytes.find("FOLDER") == std::string::npos) {
      EXPECT_EQ(WhyNotMail("Subject: x\n" + bytes), "");
    }
  }
}

TEST(NotMail, NoMessageOfTheCorpus) {
  const std::vector<std::string> messages = SpamassassinMessages(1);
  if (messages.empty()) GTEST_SKIP() << "THRESHER_CORPORA is not set";
  for (const std::string& message : messages) EXPECT_EQ(WhyNotMail(message), "") << message.substr(0, 200);
}

}  // namespace
}  // namespace thresher::tokenizer
