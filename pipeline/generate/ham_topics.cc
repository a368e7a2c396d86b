// The topics of ham. The last three are similar to topics of spam on purpose.
#include "pipeline/generate/topics.h"

namespace thresher::pipeline::synthetic {

const std::vector<Topic>& HamTopics() {
  static const std::vector<Topic> topics = {
      // Software
      {.subjects = Split(
           "{thing} fails after the last commit|patch for the {thing}|release {number} of {coined}|"
           "question about the {quality} {thing}|{coined}: {thing} broken on arm|build of {coined} is red"),
       .lines = Split("The {thing} in {coined} returns the wrong value when the {thing} is empty.|"
                      "I bisected it to the change that lets us {act} the {thing} twice.|"
                      "Attached is a patch that makes the {thing} {quality} again; please review.|"
                      "Could somebody {act} the {thing} against version {number}?|"
                      "With {number} threads the {thing} takes {number} ms instead of {number}.|"
                      "Run {coined} --{thing} and you will see the {quality} output.|"
                      "I would rather {act} the {thing} than add another {thing} to {coined}.|"
                      "Does the {thing} have to be {quality}, or may the caller {act} it?"),
       .things =
           Split("parser|buffer|test suite|makefile|branch|compiler|linker|thread|lock|queue|module|header|"
                 "cache|index|kernel|driver|socket|backtrace|commit|iterator"),
       .acts = Split("merge|revert|compile|refactor|test|profile|document|rebase|free|allocate"),
       .qualities = Split("static|broken|portable|deprecated|atomic|slow|reentrant|upstream|generic")},
      // Office
      {.subjects =
           Split("agenda for {day}|minutes of the {thing}|{thing} for {month}|moving the {thing} to {day}|"
                 "{name} joins the {thing}|draft {thing}"),
       .lines = Split("Please {act} the {thing} before the meeting on {day} at {time}.|"
                      "{name} will {act} the {quality} {thing} in the {place} office.|"
                      "The {thing} for {month} is on the shared drive, folder {coined}.|"
                      "Can we {act} the {thing} with the customer from {place}?|"
                      "I have booked the small room from {time} for the {thing}.|"
                      "The {quality} {thing} must be with the board by {day}.|"
                      "{name} {surname} asked who is going to {act} the {thing}."),
       .things = Split(
           "report|budget|proposal|schedule|presentation|contract|meeting|workshop|spreadsheet|deadline|"
           "review|department|travel request|minutes|project plan|tender"),
       .acts = Split("approve|circulate|sign|update|discuss|postpone|finish|comment on|forward"),
       .qualities = Split("quarterly|final|revised|internal|annual|preliminary|joint|overdue")},
      // Family
      {.subjects = Split(
           "{day} dinner|photos from {place}|grandma's {thing}|the {thing}|are you coming on {day}?|news"),
       .lines = Split("The children want to {act} the {thing} again this weekend.|"
                      "Mum asks whether you can bring the {quality} {thing} on {day}.|"
                      "We spent three days in {place} and forgot the {thing} at home.|"
                      "{name} has started school and loves the {thing} there.|"
                      "Your {quality} {thing} is still in our cellar, by the way.|"
                      "Dad is well, he tries to {act} the {thing} every morning.|"
                      "Aunt {name} sends her love and the recipe for the {thing}."),
       .things =
           Split("birthday|cake|garden party|photo album|puppy|cousin|wedding|train ticket|christmas tree|"
                 "school play|tent|bicycle|piano|blanket|holiday flat"),
       .acts = Split("visit|celebrate|paint|borrow|mend|decorate|remember|feed"),
       .qualities = Split("little|old|lovely|noisy|tired|blue|funny|favourite")},
      // Garden and kitchen
      {.subjects = Split(
           "{quality} {thing}|too many {thing}s|recipe: {thing}|seeds for {month}|the {thing} is ready"),
       .lines = Split("{act} the {thing} for twenty minutes and let it rest overnight.|"
                      "My {thing} did not survive the frost in {month}.|"
                      "Add a spoon of {quality} {thing} and {act} it slowly.|"
                      "We have more {thing} than we can eat, shall I bring you some?|"
                      "The soil near the {thing} is too dry, {act} it in the evening.|"
                      "{name} swears by {quality} compost for every {thing}."),
       .things = Split("tomato|basil|compost|pumpkin|apple tree|onion|bread|soup|dough|lettuce|rhubarb|bean|"
                       "vinegar|greenhouse|currant|sauce"),
       .acts = Split("water|plant|simmer|bake|prune|chop|harvest|stir|freeze"),
       .qualities = Split("ripe|sour|fresh|green|wild|roasted|sweet|late")},
      // Travel
      {.subjects = Split("trip to {place}|{thing} in {place}|your {thing} on {day}|{place} in {month}?"),
       .lines = Split("The {thing} leaves {place} at {time} and we change in {place}.|"
                      "I found a {quality} {thing} near the harbour of {place}.|"
                      "Shall we {act} the {thing} together or meet there?|"
                      "Bring a {quality} jacket, {place} is cold in {month}.|"
                      "The {thing} was {quality}, but the view made up for it.|"
                      "You can {act} the {thing} at the station until {time}."),
       .things =
           Split("ferry|night train|hostel|map|passport|mountain hut|luggage|airport bus|museum|campsite|"
                 "timetable|harbour|bridge|guide book|rucksack"),
       .acts = Split("reserve|catch|miss|explore|cross|pack|share|cancel"),
       .qualities = Split("cheap|quiet|crowded|steep|early|scenic|direct|muddy")},
      // Science
      {.subjects = Split(
           "seminar on {day}: {thing}s|draft of the {thing} section|{quality} {thing}s|data from {place}"),
       .lines = Split("Figure {number} shows the {thing} for the {quality} sample.|"
                      "The referee wants us to {act} the {thing} with {number} more runs.|"
                      "{surname} gave a talk on {quality} {thing}s in {place}.|"
                      "If we {act} the {thing}, the {quality} term vanishes.|"
                      "Please check the {thing} in equation {number}, I get another sign.|"
                      "The {coined} data set has {number} measurements of the {thing}."),
       .things = Split("theorem|lattice|sensor|spectrum|hypothesis|estimator|experiment|protein|bibliography|"
                       "detector|proof|variance|sample|telescope|thesis"),
       .acts = Split("calibrate|prove|estimate|reproduce|cite|measure|generalise|plot"),
       .qualities = Split("linear|noisy|convex|quantum|asymptotic|empirical|thermal|sparse")},
      // Sport and music
      {.subjects =
           Split("{thing} on {day}|rehearsal in {place}|results of the {thing}|new {thing} for the band"),
       .lines = Split("Training on {day} starts at {time}, bring the {quality} {thing}.|"
                      "We lost the {thing} against {place}, but {name} scored twice.|"
                      "Who can {act} the {thing} for the concert in {month}?|"
                      "The second movement needs a more {quality} {thing}.|"
                      "{name} cannot {act} until the knee is better.|"
                      "There are {number} tickets left for the {thing} in {place}."),
       .things =
           Split("match|choir|violin|league|marathon|guitar|referee|concert|goalkeeper|score|trumpet|relay|"
                 "stadium|drum kit|season|rehearsal"),
       .acts = Split("play|sing|tune|coach|train|record|win|practise"),
       .qualities = Split("slow|loud|final|second|amateur|gentle|fast|muddy")},
      // House
      {.subjects =
           Split("{thing} repair|the {thing} again|landlord about the {thing}|{quality} {thing} for sale"),
       .lines = Split("The plumber comes on {day} between {time} and noon to {act} the {thing}.|"
                      "The {quality} {thing} in the stairwell leaks again.|"
                      "Could you {act} the {thing} while I am in {place}?|"
                      "A new {thing} costs {money}, mending it about half.|"
                      "The neighbours ask us to {act} the {thing} after ten.|"
                      "We painted the {thing} {quality}, come and look."),
       .things =
           Split("boiler|roof|window|washing machine|stairs|kitchen sink|carpet|lamp|heating|letter box|"
                 "balcony|fuse|shelf|radiator|fence"),
       .acts = Split("replace|drill|paint|fix|switch off|measure|insulate|clean"),
       .qualities = Split("white|wooden|leaky|second-hand|rusty|upper|heavy|damp")},
      // Bank and insurance, no phishing
      {.subjects = Split("your {thing} for {month}|{thing} statement {number}|appointment about your {thing}|"
                         "change to your {thing}"),
       .lines = Split("Your {thing} of {money} was received on {day}.|"
                      "The {quality} rate for your {thing} remains at {number} basis points.|"
                      "Please {act} the {thing} at the branch in {place} by {day}.|"
                      "We have changed the terms of your {thing} as of {month}.|"
                      "The statement shows a {quality} {thing} of {money}.|"
                      "Your adviser {name} {surname} will be glad to {act} the {thing} with you."),
       .things =
           Split("mortgage|account|insurance|loan|invoice|credit card|transfer|pension|payment|interest|"
                 "standing order|tax return|savings plan|claim"),
       .acts = Split("confirm|review|settle|renew|sign|transfer|extend|check"),
       .qualities = Split("monthly|fixed|outstanding|annual|net|joint|variable|agreed")},
      // Health
      {.subjects = Split("your {thing} on {day}|{thing} results|reminder: {thing}|about the {thing}"),
       .lines = Split("Doctor {surname} asks you to {act} the {thing} before breakfast.|"
                      "Your {thing} at the practice in {place} is on {day} at {time}.|"
                      "The {quality} pills made me sleepy, the doctor now tries another {thing}.|"
                      "The pharmacy will {act} the {thing} by {day}.|"
                      "My {thing} is {quality} since the treatment in {month}.|"
                      "Bring your insurance card and the {quality} {thing}."),
       .things =
           Split("prescription|blood test|check-up|vaccination|x-ray|tablet|dentist|therapy|weight|sleep|"
                 "medication|knee|allergy|dose"),
       .acts = Split("take|repeat|collect|refill|change|confirm|stop|measure"),
       .qualities = Split("daily|better|painful|generic|strong|routine|mild|second")},
      // Shopping
      {.subjects = Split(
           "{quality} {thing}s this week|order {number}|your {thing} is on its way|{thing} back in stock"),
       .lines = Split("The {quality} {thing} you looked at is back in stock for {money}.|"
                      "Order by {day} for free delivery of any {thing}.|"
                      "Members save {percent} on every {quality} {thing} until {day}.|"
                      "Choose a {thing} in store and {act} it at home.|"
                      "Our shop in {place} opens at {time}; come and {act} the new {thing}.|"
                      "Your {thing} has left our warehouse in {place}."),
       .things =
           Split("jacket|camera|coffee maker|book|lamp|printer|watch|shoes|headphones|tent|chair|software|"
                 "gift card|backpack"),
       .acts = Split("try|return|exchange|rate|collect|compare|discover|order"),
       .qualities = Split("new|limited|original|leather|free|waterproof|exclusive|compact")}};
  return topics;
}

}  // namespace thresher::pipeline::synthetic
