#include "tokenizer/ignored_headers.h"

namespace thresher::tokenizer {

std::vector<std::string> DefaultIgnoredHeaders() {
  return {// Filters
          "X-Spam*", "X-Bogosity", "X-CRM114*", "X-DSPAM*", "X-Rspamd*", "X-Text-Classification",
          "X-POPFile*", "X-MailScanner*", "X-Amavis*", "X-Virus-*", "X-Scanned-By", "X-ASSP-*",
          "X-Ham-Report",
          // Microsoft
          "X-MS-Exchange-*", "X-Exchange-Antispam*", "X-EOP*", "X-Microsoft-Antispam*", "X-Forefront-*",
          "X-SID-*", "X-Message-Delivery", "X-Message-Info", "X-MS-Office365-Filtering-*",
          "X-MS-UserLastLogonTime", "X-Incoming*",
          // Gateways
          "X-Authority-Analysis", "X-Barracuda*", "X-Brightmail*", "X-Cloudmark*", "X-CMAE*", "X-CTCH-*",
          "X-IronPort*", "IronPort-*", "X-KLMS-*", "X-KSMG-*", "X-MailAssure-*", "X-Mailprotector-*",
          "X-Mimecast*", "X-NAI-Spam*", "X-PMX-*", "X-Proofpoint*", "X-Sophos-*", "X-TM-AS-*", "X-Vade-*",
          "X-VR-*",
          // Providers
          "X-Gm-*", "X-GMX-Antispam", "X-Pm-Spam*", "X-SES-Spam-Verdict", "X-SES-Virus-Verdict", "X-UI-*",
          "X-YahooFilteredBulk", "X-Ymail-*",
          // Mail programs: flags, labels and numbers of a message
          "Status", "X-Status", "X-Keywords", "X-UID*", "X-IMAP*", "X-Mozilla-*", "X-Evolution*",
          "X-Gmail-Labels", "X-Folder"};
}

}  // namespace thresher::tokenizer
