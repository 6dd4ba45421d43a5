"""The cue tables of English: what marks a decision, a wish, a plan, and what marks talk that is not kept.

A row is (tag, weight, pattern, why). Weights of one tag add up; a sentence is kept from KEEP on. Patterns are matched
without regard to case against a sentence without its lead-in; none can backtrack over more than a few words.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from crustacean.models.offline.words import DATE, DAY, KIN, MONTH, QUANTITY

KEEP = 2.0


class Cue(NamedTuple):
    tag: str
    weight: float
    pattern: re.Pattern[str]
    why: str


def _cue(tag: str, weight: float, pattern: str, why: str) -> Cue:
    return Cue(tag, weight, re.compile(pattern, re.IGNORECASE), why)


_WE = r"(?:we|i|they|the (?:team|board|group|family|client|committee|council)|everyone|management)"
_HAVE = r"(?:'ve| have| has|'d| had)?(?: (?:just|finally|now|all|already|also|both|actually))?"
_NAMED = r"(?:[A-Z][\w'’&.-]+)"

CUES: tuple[Cue, ...] = (
    # decisions
    _cue("decision", 3, rf"\b{_WE}{_HAVE} (?:decided|settled|agreed|chose|picked|voted|standardi[sz]ed|resolved)\b",
         "a decision is stated"),
    _cue("decision", 3, rf"\b{_WE}{_HAVE} (?:switched|moved|migrated|changed|dropped|ditched|adopted|rejected|approved"
         r"|opted|signed|ruled out|went with|gone with|replaced|scrapped|abandoned|committed|cancel?led)\b",
         "a change of course is stated"),
    _cue("decision", 3, r"^(?:final )?(?:decision|decided|settled|agreed|resolved|verdict|ruling)(?: is)?\s?[:,-]",
         "a decision is stated"),
    _cue("decision", 3, r"\b(?:it'?s|that'?s|is|are) (?:decided|settled|final|agreed|official|a done deal)\b"
         r"|\bonce and for all\b|\bfinal(?:ly)? (?:decision|answer|word|call)\b|\bthe decision is\b|\bdecision made\b",
         "a decision is stated"),
    _cue("decision", 2.5, rf"\b{_WE}(?:'ll| will| shall|'re going to| are going to|'m going to|'re| are|'m)"
         r" (?:go|going|stick|sticking|stay|staying|settle|settling|standardi[sz]e) (?:with|to|for|on|at)\b",
         "a choice is stated"),
    _cue("decision", 2.5, r"^(?:let'?s|then let'?s) (?:agree|go with|go for|stick|settle|call it|make it|drop|keep|use|do it"
         r"|have it|move|skip|not)\b", "a choice is stated"),
    _cue("decision", 2.5, r"\bfrom (?:now|here|today|then|next \w+|" + DAY + r") on(?:wards?)?\b|\bgoing forward\b"
         r"|\bfrom here on(?: out)?\b|\bhenceforth\b|\bas of (?:now|today|next|" + DAY + "|" + MONTH + r")",
         "it holds from now on"),
    _cue("decision", 1.5, r"\binstead of\b|\brather than\b|\binstead\s?[.!]?$|, not \w|\bnot \w+,? but\b"
         r"|^no [\w-]+(?: \w+){0,3}(?:,|$)", "one thing is chosen over another"),
    _cue("decision", 2, r"\b(?:is|are|'s) (?:out|dropped|off the table|in|cancel?led|postponed|rejected|approved)\b\s?(?:[.,;]|$|for|until|because)",
         "something is settled"),
    _cue("decision", 2, r"\b(?:(?:we|they|the (?:team|board|group|family|client|council)|everyone)(?:'ll| will)?(?: only| never| always| no longer)?|i(?:'ll| will| only| never| always| no longer)(?: only| always| never)?) (?:use|keep|store|stay|drop|skip"
         r"|run|ship|deploy|host|charge|pay|accept|support|require|allow) (?!it\b|that\b|this\b|them\b|\w+ing\b)",
         "a rule of the work is stated"),
    _cue("decision", 2, r"\bwe (?:don'?t|do not|never|no longer|only|won'?t)\b", "a rule of the work is stated"),
    _cue("decision", 2, r"\bmoves? (?:from .{1,40} )?to " + f"(?:{DATE}|\\d)" + r"|\b(?:was|were|been|got|is|are) "
         r"(?:moved|postponed|brought forward|pushed(?: back)?|rescheduled|renamed|replaced)\b", "something is moved"),
    _cue("decision", 2.5, r"^forget (?:about )?the\b|\b(?:nobody|no one) (?:uses?|touch(?:es)?|merges?|pushe?s?|deploys?)\b",
         "something is ruled out"),
    _cue("decision", 2, r"\bgets? \w+.{0,40}\bnot\b|\b(?:named|called|spelled|pronounced) .{1,40}\balways\b",
         "a rule is stated"),
    # preferences and standing wishes
    _cue("preference", 3, r"\bi(?:'d| would)? (?:really |much |definitely |always |strongly )?(?:prefer|rather)\b"
         r"|\bmy preference\b|\bmy (?:all-time )?favou?rite\b|\bi(?:'m| am) (?:not )?(?:a (?:big |huge )?fan of|allergic"
         r"|into|fond of|keen on|vegan|vegetarian|left-handed|colou?r-?blind)\b|\bi can'?t (?:stand|bear|tolerate|eat)\b",
         "a preference is stated"),
    _cue("preference", 2.5, r"\bi (?:really |just |absolutely |actually |totally )?(?:hate|love|dislike|loathe|adore"
         r"|enjoy|don'?t (?:like|eat|drink|want|need|do|care for)|never (?:eat|drink|use|want)|only (?:eat|drink|use|want|read|take))\b",
         "a preference is stated"),
    _cue("preference", 2, r"\bi(?:'d)? (?:like|want)\b.{0,80}\b(?:always|never|every|only|at most|at least|max|no more"
         r"|bullets?|short|brief|without|by default|in (?:english|german|spanish|french|lower|upper)|each|weekly|daily)\b",
         "a standing wish is stated"),
    _cue("preference", 2, r"\bi(?:'d| would) (?:like|want|love) (?:the (?:bot|assistant|agent)|you) to\b|\bi want you to\b",
         "a wish to the agent is stated"),
    _cue("preference", 2, r"\b(?:mad|crazy|nuts|obsessed) (?:about|with)\b|\bi like\b(?! (?:it|that|this|the idea)\b)", "a preference is stated"),
    _cue("preference", 2.5, r"^(?:please )?(?:always|never)\b", "a standing wish is stated"),
    _cue("preference", 2, r"\b(?:always|never)\b", "it holds always"),
    _cue("preference", 2.5, r"^(?:one |my |a )?(?:preference|(?:house |ground |team )?rules?|pet peeve)s?\s?(?:\w+ ){0,3}:",
         "a rule is stated"),
    _cue("preference", 2, r"^(?:please )?(?:don'?t|do not|stop|avoid|no)\b.{0,80}\b(?:anymore|any more|again|ever|when"
         r"|emails?|emojis?|in (?:the|my|your|any))\b", "a standing wish is stated"),
    _cue("preference", 2.5, r"^(?:please )?(?:keep|use|call|avoid|prefer|stop|write|answer|reply|address|speak|give|format|stick)\b"
         r".{0,60}\b(?:answers?|replies|responses|short|brief|concise|tone|formal|informal|language|units?|lower ?case"
         r"|bullets?|emojis?|metric|british|spelling|english|german|spanish|french|me (?!the|a|that)[a-z]+|names?|jargon"
         r"|by default|each|every|whenever|everywhere|plain|comments?|style)\b", "a standing wish is stated"),
    _cue("preference", 2.5, rf"^(?:please )?(?:keep|limit|cap|hold|save|charge|deliver|water|feed|renew|back up) .{{1,60}}\b(?:for|every|each|within|under|below|over|at) (?:{QUANTITY}|\d|{DAY})", "a standing wish with a figure"),
    _cue("preference", 2.5, r"^(?:please )?(?:don'?t|do not|never) (?:mention|tell|share|show|forward|book|call|schedule|invite|contact|wake|disturb|quote|cc)\b", "a standing wish is stated"),
    _cue("preference", 2.5, r"\b(?:is|are) (?:a must|must-haves?|(?:a )?deal-?breakers?|non-negotiable|mandatory|off[- ]limits|taboo|a no-go)\b|\b(?:matters?|important) to me\b|\bi insist\b", "a preference is stated"),
    _cue("preference", 2, r"^(?:please )?\w+ (?:all|every|each|any) (?!of (?:these|them|those)\b).{1,80}(?:, that's|, because| because|, since|, so (?:that )?(?:i|we)|, (?:i|we)\b|, it)", "a standing wish with its reason"),
    _cue("preference", 2.5, r"^(?:\w+ ){0,2}(?:style|rules?|policy|convention|guidelines?|standards?|format|spec|requirements?)\s?:", "a rule is stated"),
    _cue("preference", 2, r"\b(?:by default|whenever|every time|each time|in (?:the )?future|for (?:all|any) \w+)\b",
         "it holds every time"),
    # reminders
    _cue("reminder", 3, r"\bremind (?:me|us|him|her|them|[A-Z]\w+)\b|\bset (?:me )?(?:a|an) (?:reminder|alarm)\b",
         "a reminder is asked for"),
    _cue("reminder", 3, r"\b(?:don'?t|do not|must not|mustn'?t|can'?t|never) (?:let me )?forget\b"
         r"|\b(?:keep|bear) in mind\b|^remember (?:that|to|the|my|our)\b|\bremember (?:this|that)\b|\bnote to self\b"
         r"|^(?:please )?(?:note|notice|write down|jot down)(?: down)?(?: that)?\b\s?:?", "it is to be kept in mind"),
    _cue("reminder", 2.5, rf"\bdue (?:on|by|in|at|this|next|before|every|tomorrow|to)?\s?(?:the )?(?:{DATE}|\d)"
         rf"|\b(?:deadline|expires?|expiry|renewal|runs? out)\b.{{0,50}}(?:{DATE}|{QUANTITY})"
         rf"|\b(?:must|has to|have to|need(?:s)? to) be .{{1,40}} (?:by|before) (?:{DATE}|noon)", "a deadline is stated"),
    # promises and plans
    _cue("promise", 2.5, rf"\bi(?:'ll| will| promise)\b.{{1,80}}(?:{DATE}|\bby (?:noon|then|end of)\b|\bevery \w+\b)",
         "a promise with a date"),
    _cue("promise", 3, r"\bi promised?\b|\byou have my word\b|\bi(?:'ve)? committed to\b", "a promise is made"),
    _cue("plan", 2.5, r"\b(?:my|our|the) plan (?:is|was|for)\b|^(?:the )?plan(?: for .{1,30})?\s?:|\b(?:i|we)(?:'m| am|'re| are)"
         r" (?:going to|planning|planning to|hoping to|thinking (?:of|about)|about to|aiming|considering|preparing|saving(?: up)? for|training for)\b|\b(?:i|we) (?:plan|intend|aim) to\b"
         r"|\bby then\b|\buntil then\b|\b(?:i|we) want to (?!see\b|check\b|know\b|try\b|look\b|make sure|ask\b|say\b|be able|test\b)\w+", "a plan is stated"),
    _cue("plan", 2, r"\b(?:i|we)(?:'ll| will) (?!try\b|check\b|see\b|look\b|think\b|be (?:right |back)|let you\b|do (?:it|that)"
         r"\b|have a look|get back|tell you|give it|be there|wait\b|need to run)\w+(?: \w+){2,}", "a plan is stated"),
    _cue("plan", 2.5, rf"\b(?:visits?|arrives?|comes?|starts?|begins?|opens?|closes?|ends?|leaves?|returns?|launch(?:es)?"
         rf"|moves?|fl(?:y|ies)|joins?|delivers?|installs?|turns?|marr(?:y|ies)|retires?|goes|takes? over|takes? place"
         rf"|happens|ships?|lands?|checks? in|meets?|performs?|plays?|exams?|graduates?)\b.{{0,60}}(?:{DATE})"
         rf"|(?:{DATE}).{{0,60}}\b(?:visits?|arrives?|starts?|opens?|closes?|takes? over|comes|joins?|leaves?)\b",
         "an event with a date"),
    _cue("plan", 2.5, rf"\b(?:appointment|meeting|launch|wedding|birthday|party|concert|exam|deadline|release|demo|offsite|trip"
         rf"|flight|holiday|vacation|interview|operation|surgery|check-?up|dentist|doctor|conference|workshop|visit|viewing"
         rf"|inspection|delivery|audit|review|beta|race|match|game|recital|fair|market|festival|christening|funeral|move"
         rf"|term|course|class|training|dinner|lunch|sports day|reunion|hearing|election|rehearsal|opening|closing)s?\b"
         rf".{{0,50}}(?:{DATE})", "an event with a date"),
    _cue("plan", 2, rf"\b(?:rota|schedule|shifts?|timetable|agenda|itinerary|turns)\b\s?(?::|is|are|starts|from)|\bon leave\b"
         rf"|\b(?:parental|maternity|paternity|sick|annual) leave\b|\bstands? in for\b|\bsigned up\b|\benrol", "a plan is stated"),
    _cue("plan", 2, rf"^(?:book|schedule|reserve|order|move|postpone|cancel|plan|buy) .{{1,80}}(?:{DATE})", "it is booked for a day"),
    _cue("plan", 2, rf"\b(?:is|are|'s) (?:\w+ ){{0,3}}(?:on|from|in|at|until|till|next|by) (?:{DATE}|the \d)|\b(?:booked|ordered|bought"
         rf"|reserved|scheduled|planned|signed|registered|invited|hired)\b.{{0,80}}(?:{DATE})", "an event with a date"),
    # people
    _cue("person", 3, rf"\b(?:my|our|his|her|their|[A-Z]\w+'s) (?:\w+ ){{0,2}}{KIN}\b,?(?: is| was|'s)? ?(?-i:{_NAMED})"
         rf"|(?-i:{_NAMED}),? (?:is |who is |who's )?(?:my|our|his|her) (?:\w+ ){{0,3}}{KIN}\b", "a person is named"),
    _cue("person", 2.5, rf"\b(?:my|our) (?:\w+ ){{0,2}}{KIN} (?:is|has|was|had|works?|lives?|likes?|hates?|can'?t|doesn'?t|does"
         rf"|will|wants?|needs?|got|just|turns?|started|moved|prefers?|loves?|speaks?|plays?)\b", "something about a person"),
    _cue("person", 3, r"\b(?:i'm|i am|my name is|my name's|call me|this is) (?-i:[A-Z][a-zà-ÿ]+)(?=[,.!]|\s(?:and|from|by)\b|$)"
         r"|^(?-i:[A-Z][a-zà-ÿ]+) here(?:[.,!]|$)", "a person says who they are"),
    _cue("person", 2.5, r"\bi(?:'m| am) (?:an?|the) (?:\w+[ -]){0,4}\w+(?:er|or|ist|ian|ant|ent|eer|man|woman|student|nurse|chef|pilot)\b"
         r"|\bi (?:work|live|study|teach|run|manage|lead|own|grew up|was born|am based|look after|volunteer|come from|"
         r"speak|moved) (?:an?|the|at|in|as|for|on|near|with|from|to|after|my|our)?\b|\bi(?:'m| am) (?:\d{1,2}|based|from|originally)\b",
         "a person says who they are"),
    _cue("person", 3, r"\b(?:is|'s|are|am) (?:\w+ ){0,2}(?:allergic|intolerant|vegan|vegetarian|diabetic|celiac|coeliac|pregnant|deaf"
         r"|colou?r-?blind|left-handed|lactose)\b|\b(?:doesn'?t|does not|don'?t|can'?t|never) (?:drink|eat)s?\b"
         r"|\ballerg(?:y|ies) to\b", "what a person can't have"),
    _cue("person", 2, rf"(?-i:\b{_NAMED}(?: {_NAMED})?) (?:takes over|took over|stands in|becomes|became|joins|joined|leads|runs|handles"
         rf"|manages|reviews|approves|supplies|supplied|installs|delivers|annotates|does all|does the|is in charge|is responsible"
         rf"|looks after|owns|works|lives|moved|retires|leaves|left|does|speaks|prefers|likes|hates|loves|wants|teaches|will \w+)\b",
         "what a person does"),
    _cue("person", 3, rf"\bname(?:'s| is) (?-i:{_NAMED})|\b(?:that|this|it)'s (?:my|our) (?:\w+ ){{0,2}}{KIN}\b|\b(?:covers?|filling in|takes? over|taking over) (?:for )?", "who a person is"),
    _cue("person", 2.5, rf"\b(?:contact|surgeon|doctor|dentist|teacher|landlord|owner|manager|lead|boss|supplier|organi[sz]er|reviewer|admin"
         rf"|maintainer|vet|lawyer|accountant|person)\b(?: \w+){{0,3}} is (?-i:{_NAMED})|\b(?:is|'s) (?:our|my|the|their) (?:new )?(?:\w+ ){{0,3}}"
         rf"(?:person|lead|manager|contact|owner|supplier|maintainer|organi[sz]er|expert|treasurer|chair|captain|coach|head|admin|rep)\b"
         rf"|\bhad (?:her|his|their|a) baby\b|\bgot (?:married|engaged|divorced|promoted)\b", "who a person is"),
    # ideas, lessons, quotes
    _cue("idea", 3, r"^(?:new |crazy |another |random |wild |quick |business |one )?idea\b\s?(?:\w+ ){0,3}[:,.-]|\bwhat if (?:we|i|you|the)\b"
         r"|\b(?:i|i've) (?:have|had|got) an idea\b|\bjust an idea\b|\bi (?:vote|suggest|propose|move)\b|\bmy (?:idea|suggestion|proposal) is\b"
         r"|\bthe idea is\b|\bthought\s?:", "an idea is put forward"),
    _cue("idea", 2, r"\b(?:we|i|you) (?:could|might)\b(?! (?:you|not|be)\b)|\bmaybe (?:we|i) (?:should|could|can)\b|\bwe should\b"
         r"|\bi(?:'d| would) (?:like|love) to\b|\bone day\b|\bsomeday\b|\bhow about\b|\bwould be (?:nice|cool|great|fun) (?:to|if)\b"
         r"|\bworth (?:trying|a try|exploring)\b", "an idea is put forward"),
    _cue("lesson", 3, r"\b(?:lesson(?:s)? learn(?:ed|t)|lesson\s?:|note for next time|next time (?:we|i|let'?s|don'?t|use|start|ask)|i(?:'ve)? learn(?:ed|t) (?:that|to|the)"
         r"|in hindsight|in retrospect|should have|turns? out (?:that )?|the (?:trick|secret|fix|solution|root cause|culprit|order that works|cause)"
         r" (?:is|was)\b|never again|moral of)", "a lesson is drawn"),
    _cue("quote", 3, r"\b(?:as|like) .{1,30} (?:says|said|used to say|always says)\b|\b(?:always|used to) (?:says?|said)\b.{0,10}[\"“«']",
         "a saying is quoted"),
    _cue("joke", 2, r"\b(?:inside|running) joke\b", "a joke is shared"),
    # feelings
    _cue("feeling", 2.5, r"\bi(?:'m| am| was| feel| felt|'ve been| have been| get| got)(?: \w+){0,3} (?:nervous|anxious|worried|scared|afraid"
         r"|terrified|happy|glad|proud|excited|thrilled|relieved|calm(?:er)?|sad|upset|angry|furious|frustrated|annoyed|disappointed|stressed"
         r"|overwhelmed|exhausted|burn(?:ed|t) out|lonely|homesick|grateful|thankful|embarrassed|ashamed|guilty|jealous|hopeful|heartbroken"
         r"|worrying|tired of|sick of|fed up|devastated|delighted|over the moon|miserable|depressed|down|touched|moved|shaken|dreading)\b",
         "a feeling is stated"),
    _cue("feeling", 3, r"^feeling \w+|\bfeel(?:ing|s)? (?:a (?:bit|little|lot) |so |really |very |quite |pretty |rather )(?:\w+)|\bcan(?:'t|not) (?:stop|help) (?:worrying|thinking|crying|smiling|laughing)\b|\bi worry\b|^(?:\w+, ){0,3}(?:but |and )?(?:mostly |a bit |so |really |just )?(?:relieved|nervous|happy|excited|sad|exhausted|proud|anxious|worried|scared|empty|overwhelmed|terrified|heartbroken|grateful)\b", "a feeling is stated"),
    _cue("feeling", 2.5, r"\bcan(?:'t|not) wait\b|\blooking forward\b|\bcouldn'?t sleep\b|\bkeeps? me (?:up|awake)\b|\bmade my (?:day|week)\b"
         r"|\b(?:breaks?|broke) my heart\b|\bi(?:'m| am) dreading\b|\bi(?:'ve)? miss(?:ed)? (?:my|our|him|her|them|the)\b|\bmakes? me (?:so )?(?:sad"
         r"|happy|angry|nervous|anxious|proud|cry|smile)\b|\bannoy(?:s|ed) me\b|\bi(?:'m| am)(?: \w+){0,2} (?:in tears|stressed out|at peace)\b"
         r"|\bdriv(?:es|ing) me (?:mad|crazy|nuts)\b|\bi (?:cried|panicked)\b|\bit (?:really )?(?:hurts|hurt)\b|\bweight off my\b",
         "a feeling is stated"),
    # corrections
    _cue("correction", 3, r"^(?:small |quick |one |a )?correction\b|\bi (?:was|got it|had it|said it|told you|gave you|wrote)(?: \w+){0,3} wrong\b|\bi (?:mixed|messed)"
         r"(?: \w+){0,2} up\b|\bi (?:misspoke|misremembered|meant|mistyped)\b|\bwrong (?:date|day|time|number|name|year|price|person|address)\b"
         r"|\bmy (?:mistake|bad)\b|\bscratch that\b|\bi take (?:that|it) back\b|\bnot \w+ as i said\b|\bthat was wrong\b|\bi said .{1,40}\bbut\b",
         "something said before is corrected"),
    _cue("correction", 2.5, r"\bit'?s (?-i:[A-Z]\w+), (?:with|spelled|not)\b|\b(?:is|are|'s|on|at|be)\b.{1,40}, not\b|, not \d|\bi mean\s?[.!]?$|\bchanged (?:to|from)\b|\bnot .{1,30} any ?more\b"
         r"|\bno longer\b|\bno, it'?s\b", "something said before is corrected"),
    # facts
    _cue("fact", 2.5, r"\b(?:we|i) (?:use|have|own|pack|grow|sell|make|produce|serve|charge|pay|employ|store|run|rent|host|bill)\b(?! to\b| a look| no idea| an? (?:problem|issue|question|error)|\s(?:it|that|this)\b)",
         "how things are"),
    _cue("fact", 2.5, r"\b(?:is|'s|are) (?:our|my|the) (?:standard|rule|norm|policy|limit|minimum|maximum|default|house rule|usual)\b|\bthe rule (?:is|for)\b"
         r"|\bour (?:standard|policy|rule)\b", "a standing rule is stated"),
    _cue("fact", 2, rf"\b(?:price|cost|rent|fee|rate|budget|salary|number|address|size|limit|capacity|password policy|version|code|quota|wage|deposit|minimum|maximum|margin|weight|height"
         rf"|width|length|distance|total|VAT|tax)\b.{{0,40}}\b(?:is|are|was|stays?|at)\b.{{0,30}}(?:\d|{_NAMED})|\bcosts? .{{0,20}}\d|\bsupplies\b", "a figure is stated"),
    _cue("fact", 2, rf"\b(?:on|every) (?:{DAY})s?\b|\b(?:{DAY})s\b|\bsince (?:\d{{4}}|{MONTH}|{DAY})\b|\bevery (?:day|week|month|year|morning|evening|night|other|second|first|last|\d)\b|\b(?:daily|weekly|monthly|yearly)\b",
         "it happens regularly"),
    _cue("fact", 2, r"\b(?:all|each|every) (?:of )?(?:our|my|the) \w+|\bin this (?:repo|project|house|team|company|codebase|branch|channel)\b|\bfor this (?:project|repo)\b|\b(?:approved|granted|awarded|raised)\b.{0,20}\d"
         r"|\bonly works?\b|\bonly if\b", "how things are"),
    _cue("fact", 2, r"\b(?:you should know|for (?:the|your) (?:record|information)|fyi|good to know|worth knowing|just so you know|background)\b", "said to be known"),
    _cue("fact", 2, r"(?:^|\b(?:i|we)(?:'ve|'m| have| am)? (?:just |finally |also )?)(?:quit|resigned|graduated|retired|handed in|gave notice|passed (?:my|the)|failed (?:my|the)|got (?:hired|fired|promoted|engaged|married|divorced|accepted|the job|a job|a new)"
         r"|moved (?:to|in|out|house)|adopted|bought (?:a|the|our|my)|sold (?:a|the|our|my)|signed (?:a|the|up)|won (?:a|the)|broke (?:my|up)|enrolled|expecting)\b", "an event in a life"),
    _cue("person", 3, r"\bi get (?:\w+ )?(?:migraines?|headaches?|rashes?|hives|sick|seasick|carsick|dizzy|panic attacks?|nosebleeds?|hay fever)\b|\bi (?:react|am sensitive|'m sensitive) (?:badly )?to\b|\bi have (?:asthma|diabetes|adhd|dyslexia|arthritis|a heart|hay fever|epilepsy)\b", "what a person can't have"),
    _cue("fact", 1.5, rf"\b(?:they|he|she|the \w+|vet|doctor|landlord|boss|management|(?-i:{_NAMED})) (?:said|says|told (?:me|us)|confirmed|wants?|wanted|insists?|insisted)\b", "what someone said"),
)  # fmt: skip

LABELS: tuple[tuple[str, str], ...] = (
    ("decision", r"(?:final )?(?:decision|decided|settled|agreed|resolved)"),
    ("idea", r"(?:new |crazy |another |random |wild |quick |business |one )?idea"),
    ("plan", r"plan"),
    ("preference", r"(?:one |my )?preference"),
    ("lesson", r"lesson(?: learn(?:ed|t))?"),
    ("reminder", r"(?:reminder|note to self|todo|to do)"),
    ("fact", r"(?:fact|fyi|note|info|noted)"),
    ("correction", r"(?:small |quick |one |a )?correction(?: (?:on|to|for) (?:the )?[\w -]{1,30})?"),
)
"""What a person may put before a statement: "Decision: ..." (tag, pattern)."""

TROUBLE = re.compile(
    r"\b(?:errors?|fail(?:s|ed|ing|ure)?|broken|bugs?|crash(?:es|ed|ing)?|stack ?trace|traceback|exceptions?|not working"
    r"|doesn'?t (?:work|start|load|compile|build|open|respond)|won'?t (?:start|load|open|compile|build)|still (?:slow|broken|the same|there|nothing|fails?|red)"
    r"|slow again|(?:is|went|goes|seems) (?:down|offline|stuck)|hangs|hung|frozen|times? out|timeout|segfault|flaky|red again|glitch\w*|(?:http|status|error) ?\d{3}|undefined|null|nan"
    r"|restart(?:ed|ing)?|reboot(?:ed)?|cache|lint(?:er)?|merge conflict|logs?|full again|jam(?:med)?|npm|pip|sudo|stderr|stdout)\b",
    re.IGNORECASE,
)
"""Words of the moment's trouble: they weigh against a sentence, unless a rule or a date is in it."""

PASSING = re.compile(
    r"\b(?:you (?:said|told|suggested)|it later|(?:i|we) (?:suspected|thought|figured|guessed|wondered|tried|assumed|noticed|checked|looked|searched|clicked|restarted|pasted?|uploaded|copied|typed))\b|\bwould(?:n't)? (?:be|have)\b|^what a\b|\bi could\b|"
    r"^here(?:'s| is| are)\b|\b(?:right now|at the moment|for now|brb|lol|haha+|hahah\w*|just kidding|jk|in a (?:sec|minute|moment)|(?:\d+|ten|five|two) ?min(?:ute)?s?\b(?! (?:of|every|a day|per|each))"
    r"|just (?:curious|asking|testing)|never ?mind|no idea|not sure|i (?:guess|think so|don'?t know|dunno)|(?:don'?t|do not) (?:really )?care|whatever|let me (?:know|check|see|think|try)"
    r"|one (?:sec|moment|minute)|hold on|wait|on my way|be right back|i(?:'ll| will) (?:try|check|see|have a look|test|think about)|thank(?:s| you)|good (?:night|morning|evening|luck)"
    r"|see you|talk later|bye|last time|again\s?[.!]?$|anyone|somebody|someone please)\b",
    re.IGNORECASE,
)
"""Words of passing talk."""

ACKNOWLEDGED = frozenset(
    """ok okay k kk yes yeah yep yup ya no nope nah sure fine good great nice perfect cool thanks thank thx ty cheers lovely awesome
    excellent wonderful exactly correct right true agreed done noted understood got it that this works worked did fixed super brilliant
    amazing wow oh ah aha hm hmm mm lol haha hehe ha lmao rofl sorry oops np welcome please pls alright sounds looks you so much a lot very
    well i see me too same here now again bye ciao hi hello hey morning evening night all everyone there catch job love fair enough
    point makes sense go ahead do for of course the to know not bad will better best much really ready hero phew yay congrats congratulations
    gotcha roger indeed absolutely definitely certainly and or is be ugh argh damn later tomorrow then one moment sec wait what worries
    problem deal any time interesting funny cute sweet neat happy glad perfectly as expected""".split()
)
"""A sentence of these words alone is an acknowledgement or a greeting."""

PROGRESS = re.compile(
    r"\b(?:am|is|are|'m|'s|'re)(?: (?:just|still|already|currently|only|so|really))? (?!learning|working|living|planning|preparing|training|studying|moving|building|writing|expecting|looking forward|saving|taking|staying|thinking"
    r"|considering|going|leaving|retiring|getting|hiring|starting|joining|applying|running|selling|buying|renovating|organi[sz]ing|hosting|teaching|translating|coming|visiting|viewing|missing|bringing|having|changing|switching|dropping|wedding|evening|morning)\w{2,}ing\b",
    re.IGNORECASE,
)
"""What goes on just now: "the kids are screaming"."""

PROPOSES = re.compile(
    r"^(?:[\w '-]{1,30}: )?(?:and |so |but |or )?(?:what if|how about (?:we|i|if|\w+ing)|why (?:don't|not) we|(?:should|shouldn't) we (?!ask\b|check\b|wait\b)|could we (?:not )?(?:also )?)\b",
    re.IGNORECASE,
)
"""A question that puts an idea forward."""

FORGET = re.compile(
    r"\b(?:don'?t|do not|please don'?t|no need to|never) (?:remember|save|store|keep|note|record|memori[sz]e|write) (?:this|that|it|any of|these|those|down)\b|\boff the record\b|\bforget (?:that i said|i said|what i (?:just )?said)\b"
    r"|\bno lo (?:guardes|recuerdes|apuntes)\b|\bnicht (?:speichern|merken|notieren)\b|\bmerk dir das nicht\b|\bne (?:le |la )?(?:retiens|note|garde|sauvegarde)[sz]? pas\b|\bnão (?:guarde|salve|anote|lembre)\b|不要记|别记|覚えないで|保存しないで",
    re.IGNORECASE,
)
"""A person's wish that something is not kept."""

WH = re.compile(
    r"^(?:(?:and|so|but|or|also|ok|hey|um+)\W+)?(?:what|when|where|who|whom|whose|why|which|how|can|could|would|will|is|are|was|were|do|does|did|should|shall|have|has|may|am"
    r"|anyone|any (?:idea|news|chance|update)|isn'?t|aren'?t|don'?t you|didn'?t|what'?s|who'?s|where'?s|how'?s|when'?s)\b",
    re.IGNORECASE,
)
"""The start of a question, where a person leaves the question mark out."""

CUES_FEELING_ALONE = re.compile(r"\bcan(?:'t|not) wait\b|\bso (?:happy|excited|proud|sad|relieved)\b", re.IGNORECASE)
"""A feeling in words that would else pass as an acknowledgement."""
