// Headers in which other filters and mail programs write what they think of a message, or what its reader did
// with it. A model that read them would copy their verdicts, and know the label of archived mail.
//
// Used by Options::ignore_headers, whose default they are. Thread-safety: a pure function.
#pragma once

#include <string>
#include <vector>

namespace thresher::tokenizer {

// Of each product. A trailing * matches any ending. docs/tokens.md has the same list with sources.
inline std::vector<std::string> DefaultIgnoredHeaders() {
  return {// Filters
          "X-Spam*", "X-Bogosity", "X-CRM114*", "X-DSPAM*", "X-Rspamd*", "X-Text-Classification",
          "X-POPFile*", "X-MailScanner*", "X-Amavis*", "X-Virus-*", "X-Scanned-By", "X-ASSP-*",
          "X-Ham-Report",
          // Microsoft
          "X-MS-Exchange-*", "X-Exchange-Antispam*", "X-EOP*", "X-Microsoft-Antispam*", "X-Forefront-*",
          "X-SID-*",
          // Gateways
          "X-Authority-Analysis", "X-Barracuda*", "X-Brightmail*", "X-Cloudmark*", "X-CMAE*", "X-CTCH-*",
          "X-IronPort*", "IronPort-*", "X-KLMS-*", "X-KSMG-*", "X-MailAssure-*", "X-Mimecast*", "X-NAI-Spam*",
          "X-PMX-*", "X-Proofpoint*", "X-Sophos-*", "X-TM-AS-*", "X-Vade-*", "X-VR-*",
          // Providers
          "X-Gm-*", "X-GMX-Antispam", "X-Pm-Spam*", "X-SES-Spam-Verdict", "X-SES-Virus-Verdict", "X-UI-*",
          "X-YahooFilteredBulk", "X-Ymail-*",
          // Mail programs: flags, labels and numbers of a message
          "Status", "X-Status", "X-Keywords", "X-UID*", "X-IMAP*", "X-Mozilla-*", "X-Evolution*",
          "X-Gmail-Labels", "X-Folder"};
}

}  // namespace thresher::tokenizer
