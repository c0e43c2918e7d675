"""English."""

from .base import Dots, Language, Markers, NumberWords, fillers, pairs, words

_ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
_TENTHS = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"
_SCALES = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}

NUMBERS = NumberWords(
    cardinals={word: value for value, word in enumerate(_ONES.split())}
    | {word: 10 * tens for tens, word in enumerate(_TENS.split(), 2)},
    ordinals={word: value for value, word in enumerate(_ORDINALS.split(), 1)}
    | {word: 10 * tens for tens, word in enumerate(_TENTHS.split(), 2)}
    | {f"{word}th": value for word, value in _SCALES.items()},
    scales=_SCALES,
    others=words(
        "percent half halves quarter quarters dozen dozens double triple twice once thrice single "
        "hundreds thousands millions billions trillions"
    ),
    units=words("percent dollar dollars euro euros pound pounds cents"),
    dots=Dots.FRACTION,
)

ARTICLES = words("a an the my your our their his her its")
DEMONSTRATIVES = words("this that these those")
PRONOUNS = words(
    "i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself "
    "we us our ours ourselves they them their theirs themselves themself this that these those one's someone"
) - {"one's", "someone"}
PREPOSITIONS = words("of to in on at by for with from as into about")
BE = words("am is are was were be been being")
GO = words("go goes going went gone")
FUNCTION_WORDS = (
    words("a an the and or so then there here if because who what which when where why how let's")
    | PRONOUNS
    | PREPOSITIONS
    | BE
    | words("do does did done doing have has had having will would shall should can could may might must")
)

HEDGES = words(
    "maybe perhaps probably possibly likely almost nearly about around roughly approximately apparently allegedly "
    "supposedly might may could seem seems sometimes usually mostly partly only just except unless until if but however "
    "although though than more less most least few all some any every each both half guess suppose"
)
NEGATIONS = words(
    "no not never none nobody nothing neither nor nowhere without cannot hardly barely scarcely uh-uh nuh-uh mm-mm "
    "dont doesnt didnt wont wouldnt shouldnt couldnt cant isnt arent wasnt werent hasnt havent hadnt aint mustnt neednt"
)
VERB_FOLLOWS = words(
    "what how why that who where when which if whether about it him her them this the a an my your his our their all "
    "nothing exactly by"
)
LIKE_IS_A_WORD_AFTER = words(
    "look looks looked looking feel feels felt feeling sound sounds sounded sounding seem seems seemed seeming smell smells "
    "smelled taste tastes tasted act acts acted acting behave behaves treat treats treated would i'd you'd he'd she'd we'd "
    "they'd something anything nothing everything thing things stuff more most less much just exactly"
)

MARKERS = Markers(
    phrases=(("you", "know"), ("i", "mean")),
    not_after=words(
        "do did does don't if as let would will how what who than that and because when to everything all people"
    ),
    joins=words("and because"),
    not_before=VERB_FOLLOWS,
    like="like",
    like_not_after=LIKE_IS_A_WORD_AFTER,
    like_right_after=(ARTICLES - {"her", "his"})
    | (PREPOSITIONS - {"to", "as"})
    | words("and but or so because if when"),
    first_words=words("so well okay ok oh right yeah now"),
    not_first_before=words("many much few little far long that now there here away after before done known"),
    not_first_pairs=tuple(
        ("right", noun) for noun in ("wing", "winger", "wingers", "hand", "handed", "side", "angle", "angles", "turn")
    ),
    before_participles=words("well"),
    before_questions=words("so"),
    tags=words("right okay ok yeah"),
    no_tag_after=BE
    | GO
    | ARTICLES
    | words("turn turns turned turning all quite feel feels looks sounds seems get gets got do it's that's he's she's"),
    asks=words("do does did can could will would should has have had may might what who which how why where when"),
    apologies=words("sorry"),
    listeners=words("mhm yeah yes yep right okay ok uh-huh mm-hmm sure wow exactly oh totally absolutely hm hmm mm"),
)

SHORT_WORDS = words(
    "a i o am an as at ax be by do eh ex go ha he hi id if in is it la ma me my no of oh ok on or ow ox pa pi so to up "
    "us we ye yo al ed jo pc tv uk eu un ad ace act add ado age ago aid ail aim air ale all and ant any ape apt arc are "
    "ark arm art ash ask ate awe axe bad bag ban bar bat bay bed bee beg bet bib bid big bin bit bob bog boo bow box boy "
    "bra bud bug bum bun bus but buy bye cab cam can cap car cat cod con cop cot cow cry cub cue cup cut dad dam day den "
    "dew did die dig dim din dip doc doe dog don dot dry dub due dug dye ear eat ebb eco eel egg ego elf elm end era eve "
    "eye fab fad fan far fat fax fed fee few fib fig fin fir fit fix flu fly fog for fox fry fun fur gag gap gas gay gel "
    "gem get gig gin god got gum gun gut guy gym had ham has hat hay hem hen her hey hid him hip his hit hog hop hot how "
    "hub hug hum hut ice icy ill imp ink inn ion its ivy jab jam jar jaw jay jet job jog joy jug key kid kin kit lab lad "
    "lag lap law lax lay led leg let lid lie lip lit log lot low mad man map mat max may men met mid mix mob mom mop mud "
    "mug mum nap net new nil nod non nor not now nun nut oak oar odd off oft oil old one opt orb ore our out owe owl own "
    "pad pal pan par pat paw pay pea peg pen pep per pet pie pig pin pit ply pod pop pot pre pro pry pub pun pup put rag "
    "ram ran rap rat raw ray red ref rep rib rid rig rim rip rob rod rot row rub rug rum run rut sad sag sap sat saw say "
    "sea see set sew sex she shy sin sip sir sit six ski sky sly sob sod son sow soy spa spy sub sue sum sun tab tag tan "
    "tap tar tax tea ted tee ten the thy tie tin tip toe tom ton too top toy try tub tug two use van vat vet via vie vow "
    "wag war was wax way web wed wee wet who why wig win wit woe won woo wow wry yak yam yap yay yen yes yet you zap zen "
    "zip zoo re de co un bi tri mis dis bob tim jim joe sam dan ben ken kim amy ann leo ian"
)

SPELLINGS = pairs(
    [
        "ok / okay",
        "alright / all right",
        "per cent / percent",
        "dollar / dollars",
        "euro / euros",
        "pound / pounds",
        "vs / versus",
        "mr / mister",
        "dr / doctor",
        "etc / et cetera",
        "yeah / yeh",
        "ya'll / y'all",
        "til / until",
        "'til / until",
        "adviser / advisor",
        "gray / grey",
        "whiskey / whisky",
        "program / programme",
        "check / cheque",
        "tire / tyre",
        "theater / theatre",
        "center / centre",
        "centers / centres",
        "liter / litre",
        "liters / litres",
        "meter / metre",
        "meters / metres",
        "kilometer / kilometre",
        "kilometers / kilometres",
        "fiber / fibre",
        "color / colour",
        "colors / colours",
        "colored / coloured",
        "favor / favour",
        "favors / favours",
        "favorite / favourite",
        "favorites / favourites",
        "behavior / behaviour",
        "behaviors / behaviours",
        "labor / labour",
        "neighbor / neighbour",
        "neighbors / neighbours",
        "neighborhood / neighbourhood",
        "harbor / harbour",
        "honor / honour",
        "honors / honours",
        "humor / humour",
        "rumor / rumour",
        "rumors / rumours",
        "flavor / flavour",
        "flavors / flavours",
        "vapor / vapour",
        "defense / defence",
        "offense / offence",
        "license / licence",
        "licenses / licences",
        "practice / practise",
        "organize / organise",
        "organized / organised",
        "organizing / organising",
        "organization / organisation",
        "organizations / organisations",
        "realize / realise",
        "realized / realised",
        "realizes / realises",
        "realizing / realising",
        "recognize / recognise",
        "recognized / recognised",
        "optimize / optimise",
        "optimized / optimised",
        "optimizing / optimising",
        "optimization / optimisation",
        "apologize / apologise",
        "analyze / analyse",
        "analyzed / analysed",
        "analyzing / analysing",
        "criticize / criticise",
        "criticized / criticised",
        "emphasize / emphasise",
        "summarize / summarise",
        "specialize / specialise",
        "specialized / specialised",
        "minimize / minimise",
        "maximize / maximise",
        "privatize / privatise",
        "privatized / privatised",
        "catalog / catalogue",
        "catalogs / catalogues",
        "dialog / dialogue",
        "dialogs / dialogues",
        "analog / analogue",
        "traveled / travelled",
        "traveling / travelling",
        "traveler / traveller",
        "canceled / cancelled",
        "canceling / cancelling",
        "labeled / labelled",
        "labeling / labelling",
        "modeled / modelled",
        "modeling / modelling",
        "fueled / fuelled",
        "skeptical / sceptical",
        "skeptic / sceptic",
        "aluminum / aluminium",
        "artifact / artefact",
        "artifacts / artefacts",
        "judgment / judgement",
        "aging / ageing",
        "plow / plough",
        "mold / mould",
        "jewelry / jewellery",
        "pajamas / pyjamas",
        "fulfill / fulfil",
        "enroll / enrol",
        "skillful / skilful",
        "toward / towards",
        "leaped / leapt",
        "learned / learnt",
        "burned / burnt",
        "spelled / spelt",
    ]
)

SPOKEN_FORMS = pairs(
    [
        "gonna / going to",
        "wanna / want to",
        "gotta / got to",
        "kinda / kind of",
        "sorta / sort of",
        "lemme / let me",
        "gimme / give me",
        "dunno / don't know",
        "'cause / because",
        "cuz / because",
        "'em / them",
        "outta / out of",
    ]
)

ENGLISH = Language(
    code="en",
    fillers=fillers(
        "uh um uhm erm hm mm ah eh urm", also=r"er(?!r$)r*|e{2,}r+|[hm]*h[hm]*m[hm]*|[hm]*m[hm]*h[hm]*|[hm]+-h[hm]+"
    ),
    negations=NEGATIONS,
    negative_endings=("n't",),
    negative_prefixes=words("un non dis anti il ir mis"),
    hedges=HEDGES,
    limits=words("only except unless if but without until"),
    qualifiers=words(
        "maybe perhaps probably possibly allegedly apparently supposedly almost nearly about around roughly only if unless "
        "except until might may could"
    ),
    conditions=words("but except unless until if"),
    numbers=NUMBERS,
    emphasis=words("very really much many far way too never no big super more long again over"),
    doubles=words("had that is do does did her so"),
    function_words=FUNCTION_WORDS,
    pronouns=PRONOUNS,
    articles=words("a an the my your our their"),
    conjunctions=words("and or so because if then"),
    article_successors=ARTICLES | DEMONSTRATIVES | PRONOUNS,
    contractions=("'s", "'re", "'m", "'ve", "'ll", "'d"),
    be_or_go=BE | GO,
    short_words=SHORT_WORDS,
    no_joining=words("a i"),
    keep_apostrophe=words("were well shell hell ill id wed shed"),
    spellings=SPELLINGS,
    spoken_forms=SPOKEN_FORMS,
    markers=MARKERS,
    plain_negations=words("no not cannot"),
    hedge_groups=(
        words("about around roughly approximately almost nearly"),
        words("maybe perhaps probably possibly likely may might could seem seems guess suppose think"),
        words("apparently allegedly supposedly"),
        words("sometimes usually mostly partly"),
        words("only except unless if until"),
    ),
    approximations=words("about around roughly approximately almost nearly"),
    superlatives=words(
        "best worst most least furthest farthest only first last ever always everyone everybody everything"
    ),
    not_superlatives=words(
        "interest honest request forest modest protest contest invest suggest arrest guest quest rest test nest west chest "
        "east vest pest priest harvest earnest digest manifest conquest inquest breast behest bequest ingest attest detest"
    ),
)
