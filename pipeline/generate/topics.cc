#include "pipeline/generate/topics.h"

namespace thresher::pipeline::synthetic {

Phrases Split(std::string_view list) {
  Phrases phrases;
  for (size_t bar = list.find('|'); bar != std::string_view::npos; bar = list.find('|')) {
    phrases.push_back(list.substr(0, bar));
    list.remove_prefix(bar + 1);
  }
  phrases.push_back(list);
  return phrases;
}

const SharedPhrases& Shared() {
  static const SharedPhrases shared = {
      .ham_lines =
          Split("Could you {act} the {thing} before {day}?|I will {act} it when I am back from {place}.|"
                "{name} said the {thing} is {quality} now.|Let me know if {time} on {day} suits you.|"
                "Sorry for the late answer, {place} took longer than planned.|I am not sure we need a "
                "{quality} {thing} at all.|"
                "Thanks for the {thing}, it arrived on {day}.|Last time it took {name} two days to {act} "
                "everything.|"
                "That sounds good to me.|No hurry, {month} is early enough.|What do you think?|"
                "As far as I remember, {surname} had the same trouble with the {thing}.|"
                "I have put my notes at {url} in case you want to look.|Maybe we should ask {name} {surname} "
                "first.|"
                "Otherwise all is well here.|See the {thing} below.|I agree with most of it, except for the "
                "{thing}.|"
                "We tried a {quality} {thing} in {rare} and it worked.|By the way, {rare} is {quality} too.|"
                "If nobody objects I will {act} it on {day}.|The old {thing} was more {quality}, I think.|"
                "Please keep {name} in copy.|There is more about it on page {number}.|Call me after {time} "
                "if you can."),
      .spam_lines = Split(
          "Click here now: {url}|This is a limited time offer!|Act now, supplies are limited.|100% "
          "satisfaction guaranteed.|"
          "Visit {url} today.|You have nothing to lose.|Do not wait, this offer ends on {day}!!!|"
          "It takes less than {number} minutes.|Thousands of people already {act} with us.|"
          "Dear customer, this is your chance.|Best prices on the net, {percent} off.|Totally risk free.|"
          "To be removed visit {url}|Reply with your telephone number.|Special price for {month} only: "
          "{money}.|"
          "We ship to {place} and worldwide.|Absolutely free, no obligation.|Thank you for your time and "
          "trust.|"
          "If you wish to stop receiving this, answer with remove.|More at {url}"),
      .openings =
          Split("Hi {name},|Hello,|Dear {name},|Hi,|Hi all,|Good morning {name},|Hello {name},|Dear all,"),
      .closings =
          Split("Best regards|Cheers|Thanks|Kind regards|Best wishes|See you soon|Yours|Regards|Take care"),
      .first_names = Split(
          "Anna|Ben|Clara|David|Elena|Frank|Grace|Henry|Irene|Jonas|Karin|Luis|Maria|Nils|Olga|Peter|Rosa|"
          "Simon|Tessa|"
          "Viktor|Wendy|Yusuf|Zoe|Alice|Bruno|Carmen|Dora|Emil|Fiona|George|Hana|Ivan|Julia|Kofi|Laura|Mark"),
      .surnames = Split("Abbott|Becker|Castillo|Dahl|Ellis|Fischer|Garcia|Hughes|Ito|Jensen|Keller|Lindgren|"
                        "Moreau|Novak|Okafor|"
                        "Petrov|Quinn|Rossi|Schmidt|Tanaka|Ulrich|Varga|Walker|Young|Zhang|Adeyemi|Brandt|"
                        "Coleman|Duarte|Evans"),
      .places = Split("Bergen|Lisbon|Krakow|Dublin|Lyon|Utrecht|Porto|Graz|Turku|Leeds|Geneva|Bologna|Ghent|"
                      "Malmo|Seville|Basel|"
                      "Lagos|Boston|Osaka|Toronto|Accra|Riga|Perth|Denver"),
      .fillers = Split("about|after|again|almost|always|another|around|because|before|between|both|bring|"
                       "came|change|close|could|"
                       "country|different|does|during|early|earth|enough|even|every|example|family|father|"
                       "few|follow|found|great|"
                       "hand|help|high|house|important|keep|kind|large|learn|letter|life|light|line|little|"
                       "long|made|mean|might|"
                       "morning|mother|mountain|much|never|night|nothing|often|once|open|order|paper|people|"
                       "picture|plant|point|"
                       "quick|quite|reach|right|river|school|second|sentence|several|should|side|small|"
                       "sometimes|story|study|such|"
                       "take|tell|thought|together|tree|turn|under|until|watch|water|while|white|without|"
                       "work|world|write|year")};
  return shared;
}

}  // namespace thresher::pipeline::synthetic
