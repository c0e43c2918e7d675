"""Other languages: what can be listed without judging their speech; markers and function words wait for a speaker."""

import re

from .base import Dots, Language, NumberWords, fillers, pairs, words


def _count(text: str, *, joiners: str = "", units: str, **more: int) -> NumberWords:
    """Return number words from a list that counts from zero, and others by value."""
    cardinals = {word: value for value, line in enumerate(text.split()) for word in line.split("/")}
    return NumberWords(
        cardinals=cardinals | more,
        others=words("percent"),
        units=words(f"percent dollars euros pounds {units}"),
        joiners=words(joiners),
        dots=Dots.GROUPS,
    )


GERMAN = Language(
    code="de",
    fillers=fillers("äh ähm öh öhm ehm hm mm"),
    negations=words(
        "nicht nichts nie niemals niemand niemanden niemandem kein keine keinen keinem keiner keines ohne weder noch "
        "nirgends nirgendwo nein kaum"
    ),
    hedges=words(
        "vielleicht wohl wahrscheinlich möglicherweise angeblich fast beinahe etwa ungefähr rund nur bloß außer wenn falls "
        "aber jedoch obwohl als mehr weniger meist meistens manchmal teilweise einige manche alle jeder jede jedes beide "
        "könnte dürfte halb scheint"
    ),
    negative_prefixes=words("un"),
    limits=words("nur außer wenn falls aber ohne bis"),
    qualifiers=words("vielleicht wahrscheinlich möglicherweise angeblich fast beinahe etwa ungefähr nur wenn falls außer bis"),
    conditions=words("aber außer wenn falls"),
    spellings=pairs(["percent / prozent", "dollars / dollar", "euros / euro", "and / und"]),
    numbers=_count(
        "null eins zwei/zwo drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn "
        "siebzehn achtzehn neunzehn zwanzig",
        dreißig=30, dreissig=30, vierzig=40, fünfzig=50, sechzig=60, siebzig=70, achtzig=80, neunzig=90,
        hundert=100, tausend=1000, units="prozent dollar euro",
    ),
)  # fmt: skip
FRENCH = Language(
    code="fr",
    fillers=fillers("euh heu hum hm mm"),
    negations=words("pas ne non jamais rien personne aucun aucune sans ni nulle guère plus n'"),
    negative_beginnings=("n'",),
    hedges=words(
        "peut-être probablement possiblement presque environ seulement sauf si mais cependant quoique plus moins parfois "
        "souvent quelques tous toutes chaque autour apparemment"
    ),
    limits=words("seulement sauf si mais sans"),
    qualifiers=words("probablement presque environ seulement sauf si apparemment"),
    conditions=words("mais sauf si"),
    spellings=pairs(["percent / pour cent", "dollars / dollar", "euros / euro", "and / et"]),
    numbers=_count(
        "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
        vingt=20, trente=30, quarante=40, cinquante=50, soixante=60, cent=100, mille=1000,
        joiners="et pour", units="dollar euro",
    ),
)  # fmt: skip
SPANISH = Language(
    code="es",
    fillers=fillers("eh ehm em hm mm ah"),
    negations=words(
        "no nunca jamás nada nadie ningún ninguno ninguna sin tampoco ni"
    ),
    hedges=words(
        "quizá quizás probablemente posiblemente casi aproximadamente solo sólo solamente salvo excepto si pero aunque más "
        "menos algunos algunas todos todas cada ambos aparentemente"
    ),
    limits=words("solo sólo solamente salvo excepto si pero sin"),
    qualifiers=words("quizá quizás probablemente posiblemente casi solo sólo salvo excepto si"),
    conditions=words("pero salvo excepto si"),
    spellings=pairs(["percent / por ciento", "dollars / dólares", "and / y"]),
    numbers=_count(
        "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
        "dieciocho diecinueve veinte",
        treinta=30, cuarenta=40, cincuenta=50, sesenta=60, setenta=70, ochenta=80, noventa=90, cien=100, ciento=100, mil=1000,
        joiners="y por", units="dólares euro",
    ),
)  # fmt: skip
ITALIAN = Language(
    code="it",
    fillers=fillers("ehm uhm eh hm mm ah"),
    negations=words("non no mai niente nulla nessuno nessuna nessun senza né neanche nemmeno neppure"),
    hedges=words("forse probabilmente quasi circa solo soltanto tranne se ma però anche più meno alcuni tutti ogni entrambi"),
    limits=words("solo soltanto tranne se ma senza"),
    qualifiers=words("forse probabilmente quasi circa solo soltanto tranne se"),
    conditions=words("ma però tranne se"),
    spellings=pairs(["percent / per cento", "dollars / dollari", "euros / euro", "and / e"]),
    numbers=_count(
        "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici "
        "diciassette diciotto diciannove venti",
        trenta=30, quaranta=40, cinquanta=50, sessanta=60, settanta=70, ottanta=80, novanta=90, cento=100, mille=1000,
        joiners="per", units="dollari euro",
    ),
)  # fmt: skip
PORTUGUESE = Language(
    code="pt",
    fillers=fillers("hum hm mm ah ahn hã eh"),
    negations=words("não nunca jamais nada ninguém nenhum nenhuma sem tampouco nem"),
    hedges=words("talvez provavelmente possivelmente quase cerca só somente apenas exceto se mas porém mais menos alguns todos cada ambos"),
    limits=words("só somente apenas exceto se mas sem"),
    qualifiers=words("talvez provavelmente possivelmente quase só somente apenas exceto se"),
    conditions=words("mas porém exceto se"),
    spellings=pairs(["percent / por cento", "dollars / dólares", "and / e"]),
    numbers=_count(
        "zero um dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete "
        "dezoito dezenove vinte",
        trinta=30, quarenta=40, cinquenta=50, sessenta=60, setenta=70, oitenta=80, noventa=90, cem=100, cento=100, mil=1000,
        joiners="e por", units="dólares euro",
    ),
)  # fmt: skip
DUTCH = Language(
    code="nl",
    fillers=fillers("eh ehm uh uhm euh hm mm"),
    negations=words("niet niets niks nooit niemand geen zonder noch nergens nee nauwelijks"),
    hedges=words("misschien waarschijnlijk mogelijk bijna ongeveer alleen slechts behalve tenzij als maar hoewel meer minder meestal soms sommige alle elke beide"),
    negative_prefixes=words("on"),
    limits=words("alleen slechts behalve tenzij als maar zonder tot"),
    qualifiers=words("misschien waarschijnlijk mogelijk bijna ongeveer alleen slechts behalve tenzij als"),
    conditions=words("maar behalve tenzij als"),
    spellings=pairs(["percent / procent", "dollars / dollar", "euros / euro", "and / en"]),
    numbers=_count(
        "nul een/één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien "
        "achttien negentien twintig",
        dertig=30, veertig=40, vijftig=50, zestig=60, zeventig=70, tachtig=80, negentig=90, honderd=100, duizend=1000,
        joiners="en", units="procent dollar euro",
    ),
)  # fmt: skip
SWEDISH = Language(
    code="sv",
    fillers=fillers("eh ehm öh äh hm mm"),
    negations=words("inte icke ej aldrig ingen inget inga ingenting utan varken nej knappt"),
    hedges=words("kanske troligen möjligen nästan ungefär cirka bara endast utom om men fast mer mindre mest ibland några alla varje båda"),
    limits=words("bara endast utom om men utan tills"),
    qualifiers=words("kanske troligen möjligen nästan ungefär cirka bara endast utom om"),
    conditions=words("men utom om"),
    spellings=pairs(["percent / procent", "dollars / dollar", "and / och"]),
    numbers=_count(
        "noll en/ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton tjugo",
        trettio=30, fyrtio=40, femtio=50, sextio=60, sjuttio=70, åttio=80, nittio=90, hundra=100, tusen=1000, units="procent dollar euro",
    ),
)  # fmt: skip
JAPANESE = Language(
    code="ja",
    fillers=re.compile("え[ーえ]+と?ー*|えっ?とー*|あのー+|うー+ん|んー+"),
    negations=words("無 非 不 未"),
    negative_runs=("ない", "なかっ", "なく", "なけれ", "ません"),
    numbers=NumberWords(
        cardinals={letter: value for value, letter in enumerate("〇一二三四五六七八九十")}
        | {"百": 100, "千": 1000, "万": 10_000, "億": 10**8, "兆": 10**12},
        units=words("percent dollars euros pounds 割"),
        dots=Dots.FRACTION,
    ),
)
UNKNOWN = Language(code="und", fillers=fillers("hm mm"))
