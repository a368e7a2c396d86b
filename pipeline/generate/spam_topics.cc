// The topics of spam.
#include "pipeline/generate/topics.h"

namespace thresher::pipeline::synthetic {

const std::vector<Topic>& SpamTopics() {
  static const std::vector<Topic> topics = {
      // Pharmacy
      {.subjects = Split("{quality} {thing} from {money}|your {thing} is ready|no more {thing} "
                         "prices|{thing} {percent} off|"
                         "doctors {act} {thing}"),
       .lines = Split("{act} {thing} without a prescription, shipped {quality} to your door.|"
                      "Our {quality} pharmacy has {thing} for {money} a pill.|"
                      "Why pay more? {thing} and {thing} at {percent} off: {url}|"
                      "No doctor, no questions, {quality} packaging.|"
                      "Feel {quality} again with {thing} tonight.|"
                      "{number} satisfied customers {act} {thing} here: {url}"),
       .things = Split("viagra|cialis|valium|xanax|levitra|phentermine|ambien|tramadol|generic pills|meds|"
                       "weight loss patch|hair growth|soma|antidepressant"),
       .acts = Split("order|buy|get|try|refill|enjoy"),
       .qualities = Split("discreet|generic|cheap|canadian|overnight|potent|approved|young")},
      // Loans
      {.subjects = Split("your {thing} is approved|{quality} {thing} at {percent}|{name}, lower your {thing}|"
                         "application {number}"),
       .lines = Split("Your {quality} {thing} of {money} has been approved at {percent}.|"
                      "Bad credit? {act} your {thing} today, no questions asked.|"
                      "Our lenders compete to {act} your {thing}: {url}|"
                      "You were selected for a {quality} {thing} of up to {money}.|"
                      "This offer to {act} your {thing} ends on {day}.|"
                      "Fill in the short form at {url} and {act} within {number} hours."),
       .things = Split(
           "mortgage|loan|refinance|debt|credit card|home equity|interest rate|cash advance|payday loan|"
           "bad credit|consolidation|lender"),
       .acts = Split("refinance|consolidate|approve|lower|apply for|eliminate|unlock"),
       .qualities = Split("pre-approved|low|fixed|guaranteed|unsecured|instant|bad|easy")},
      // Lottery and advance fees
      {.subjects =
           Split("{quality} {thing}|winning notification {number}|urgent: {thing} of {money}|dear friend|"
                 "attention: beneficiary"),
       .lines = Split(
           "I am Barrister {name} {surname}, solicitor to the late {surname} of {place}.|"
           "The sum of {money} lies unclaimed in a {quality} {thing} in {place}.|"
           "I need your assistance to {act} this {thing} out of the country.|"
           "Your e-mail address won the {thing} of {money} in our {quality} draw.|"
           "To {act} your {thing}, contact our agent {name} {surname} with your full name and telephone.|"
           "You shall keep {percent} of the {thing} for your {quality} co-operation.|"
           "This transaction is {quality} and free of risk; God bless you."),
       .things = Split(
           "fund|lottery|inheritance|beneficiary|consignment|deposit|prize|next of kin|security company|"
           "transaction|bank draft|estate|foreign account"),
       .acts = Split("claim|transfer|release|receive|process|move|remit"),
       .qualities = Split("confidential|international|unclaimed|urgent|lucky|mutual|legal|late")},
      // Software
      {.subjects =
           Split("{thing} for {money}|{quality} {thing}s|why pay full price for {thing}?|OEM {thing}"),
       .lines = Split("{thing} retail {money}, our price {money}: {url}|"
                      "Download {quality} {thing} and {act} it at once.|"
                      "All {thing} titles are {quality} OEM versions without box.|"
                      "{act} the {quality} {thing} before the price goes up.|"
                      "Over {number} {thing} titles, save up to {percent}.|"
                      "Licences are {quality}: {url}"),
       .things =
           Split("office suite|photo editor|operating system|antivirus|software|cd key|cad program|bundle|"
                 "licence|download|server edition|video studio"),
       .acts = Split("download|install|activate|burn|own|grab"),
       .qualities = Split("oem|full|cracked|latest|discounted|multilingual|professional|instant")},
      // Dating
      {.subjects = Split(
           "hi, it's {name}|{name} wants to meet you|{quality} {thing} near {place}|did you get my {thing}?"),
       .lines = Split("My name is {name}, I saw your {thing} and I feel {quality}.|"
                      "{number} {quality} {thing} near {place} are waiting to {act} you.|"
                      "See my {thing} here and {act} me: {url}|"
                      "I am {quality}, not married, and I dream to {act} a kind man.|"
                      "Join free, {act} {quality} {thing} tonight.|"
                      "Write me back, I send you my {thing}."),
       .things = Split("profile|singles|photo|webcam|girls|date|romance|message|love|chat|ladies|heart"),
       .acts = Split("meet|chat with|date|love|see|write to"),
       .qualities = Split("lonely|russian|beautiful|single|hot|real|naughty|shy")},
      // Stocks
      {.subjects = Split(
           "{coined} about to {act}|{quality} {thing} alert|watch {coined} on {day}|{thing} of the year"),
       .lines = Split("{coined} Inc ({ticker}) is set to {act} on {day}!|"
                      "Current price {money}, {thing} target {money} in {number} days.|"
                      "This {quality} {thing} is the one insiders {act}.|"
                      "{ticker} rose {percent} last week on {quality} news.|"
                      "Put {ticker} on your {thing} before the {quality} release on {day}.|"
                      "Do not miss it, tell your broker to {act} {ticker} now."),
       .things = Split(
           "stock|investor|share|target|radar|volume|portfolio|oil|gold|merger|press release|penny stock"),
       .acts = Split("explode|buy|soar|double|trade|watch|skyrocket"),
       .qualities = Split("undervalued|hot|breaking|huge|strong|speculative|bullish|massive")},
      // Replicas
      {.subjects = Split(
           "{quality} {thing}s|{thing} from {money}|look rich with a {thing}|{percent} off every {thing}"),
       .lines = Split("{quality} replica {thing}s, nobody can tell them from the real one.|"
                      "A {quality} {thing} for only {money}: {url}|"
                      "{act} your loved one with a {quality} {thing}.|"
                      "Every {thing} ships in a {quality} box with certificate.|"
                      "Why spend thousands? {act} the same {thing} for {money}.|"
                      "New {month} models in stock: {url}"),
       .things =
           Split("watch|handbag|chronograph|bracelet|pen|wallet|sunglasses|jewellery|timepiece|belt|shoes"),
       .acts = Split("impress|surprise|wear|order|own|flaunt"),
       .qualities = Split("swiss|luxury|exclusive|genuine|gold|designer|identical|stylish")},
      // Work from home
      {.subjects =
           Split("earn {money} a week|{quality} {thing} in {place}|{name}, a {thing} for you|fire your boss"),
       .lines = Split("Earn {money} a week from home, no {thing} needed.|"
                      "We seek a {quality} {thing} in {place}, part time.|"
                      "{act} our {thing} and quit your day job.|"
                      "My {thing} showed me how to {act} {money} in {number} days.|"
                      "A {quality} diploma in {number} weeks, no exams: {url}|"
                      "You will receive payments and {act} them, keeping {percent}."),
       .things = Split(
           "income|diploma|degree|job|manager|system|experience|home business|opportunity|seminar|position|"
           "mystery shopper"),
       .acts = Split("earn|join|work|forward|start|multiply"),
       .qualities = Split("financial|serious|unlimited|proven|residual|motivated|university|free")},
      // Phishing
      {.subjects = Split(
           "your {thing} will be closed|{quality} sign-in to your {thing}|action needed on your {thing}|"
           "security notice {number}|your {thing} is on hold"),
       .lines = Split("We noticed a {quality} attempt to enter your {thing} from {place}.|"
                      "Your {thing} will be suspended unless you {act} it within {number} hours.|"
                      "Please {act} your {thing} by following this link: {url}|"
                      "For your {quality} protection we have limited your {thing}.|"
                      "A payment of {money} is on hold until you {act} your {thing}.|"
                      "This is an automatic message of the {quality} department."),
       .things =
           Split("account|password|bank card|mailbox|online banking|profile|payment|parcel|identity|session|"
                 "invoice|access"),
       .acts = Split("verify|confirm|update|restore|validate|unlock|sign in to"),
       .qualities = Split("unusual|unauthorised|secure|important|suspended|billing|failed|security")},
      // Casino
      {.subjects =
           Split("{money} free to play|{quality} {thing}|your {thing} of {money}|play {thing} tonight"),
       .lines = Split("Get {money} free with your first {thing} at {coined} casino.|"
                      "{act} {quality} {thing} with real dealers: {url}|"
                      "Your {quality} {thing} of {percent} expires on {day}.|"
                      "Payouts of {percent}, the most {quality} {thing} online.|"
                      "{name} from {place} won {money} on our {thing}.|"
                      "Sign up, {act} and cash out within {number} hours."),
       .things =
           Split("bonus|casino|poker|roulette|jackpot|blackjack|slots|deposit|free spins|chips|bet|table"),
       .acts = Split("play|win|spin|bet on|claim|double"),
       .qualities = Split("welcome|vip|huge|instant|live|lucky|progressive|trusted")},
      // Web promotion
      {.subjects =
           Split("{thing} for your site|first page {thing}|{quality} {thing} list|offer for {thing}s"),
       .lines = Split("We can put your site on the first page and {act} your {thing}.|"
                      "{number} {quality} addresses on one disc, only {money}.|"
                      "I visited your site and saw {quality} {thing} problems.|"
                      "Our {quality} team will {act} your {thing} in {number} days.|"
                      "Send me your {thing} and we {act} a free audit: {url}|"
                      "We are a {quality} factory in {place} and offer {thing}s at {money}."),
       .things = Split(
           "ranking|traffic|backlink|website|mailing list|lead|printer cartridge|domain|hosting|advertising|"
           "machine part|toner"),
       .acts = Split("boost|increase|optimise|submit|promote|supply"),
       .qualities = Split("organic|targeted|bulk|affordable|professional|guaranteed|verified|white-hat")}};
  return topics;
}

}  // namespace thresher::pipeline::synthetic
