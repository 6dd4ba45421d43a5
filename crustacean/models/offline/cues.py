"""The cue tables of languages other than English, by structure: a sentence is kept as it was said, so words that mark
what kind of thing it is are enough. A row is (tag, weight, pattern), as in `english`."""

from __future__ import annotations

import re
from typing import NamedTuple


class Language(NamedTuple):
    """own: a first person's words. passing: words of trouble and of passing talk. asks: how a question starts (or ends).
    task: an order to the agent. date: a day or a time."""

    cues: tuple[tuple[str, float, re.Pattern[str]], ...]
    acknowledged: frozenset[str]
    passing: re.Pattern[str]
    asks: re.Pattern[str]
    task: re.Pattern[str]
    date: re.Pattern[str]
    own: re.Pattern[str]


def _language(
    cues: tuple[tuple[str, float, str], ...], acknowledged: str, passing: str, asks: str, task: str, date: str, own: str
) -> Language:
    def compiled(pattern: str) -> re.Pattern[str]:
        return re.compile(pattern, re.IGNORECASE)

    return Language(
        tuple((tag, weight, compiled(pattern)) for tag, weight, pattern in cues),
        frozenset(acknowledged.split()),
        compiled(passing),
        compiled(asks),
        compiled(task),
        compiled(date),
        compiled(own),
    )


_DE_DATE = (
    r"\b(?:(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|sonnabend)\b|\b\d{1,2}\. ?(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez|\d)"
    r"|\b(?:im|ab|bis|seit|anfang|mitte|ende) (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember)\b|\b(?:am|ab|bis|zum) \d{1,2}\."
    r"|\b(?:morgen|übermorgen|nächste[nrs]? (?:woche|monat|jahr|montag|dienstag|mittwoch|donnerstag|freitag|samstag))\b|\b\d{1,2}(?:[:.]\d\d)? ?uhr\b"
)
_ES_DATE = (
    r"\b(?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)\b|\b(?:el|al|del) \d{1,2}\b|\b\d{1,2} de [a-z]+|\b(?:en|desde|hasta|para) (?:enero|febrero|marzo|abril|mayo"
    r"|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b|\bmañana\b|\b(?:la semana|el mes|el año) que viene\b|\bpróxim[oa]\b|\ba las \d"
)
_FR_DATE = (
    r"\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?\b|\b\d{1,2}(?:er)? (?:janv|févr|mars|avril|mai|juin|juil|août|sept|oct|nov|déc)"
    r"|\b(?:en|dès|depuis|jusqu'en|fin|début) (?:janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre)\b|\ble \d{1,2}\b|\bdemain\b"
    r"|\b(?:la semaine|le mois|l'année|l'an) prochaine?\b|\bà \d{1,2} ?h"
)
_PT_DATE = (
    r"\b(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?s?\b|\b(?:sábados?|domingos?)\b|\bdia \d{1,2}\b|\b\d{1,2} de [a-zç]+|\b(?:em|desde|até) (?:janeiro|fevereiro|março|abril|maio"
    r"|junho|julho|agosto|setembro|outubro|novembro|dezembro)\b|\bamanhã\b|\b(?:semana|mês|ano) que vem\b|\bpróxim[oa]\b|\bàs \d"
)
_IT_DATE = (
    r"\b(?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)\b|\b\d{1,2} (?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)"
    r"|\b(?:il|dal|al|entro il) \d{1,2}\b|\bdomani\b|\bprossim[oa]\b|\balle \d"
)
_NL_DATE = (
    r"\b(?:maan|dins|woens|donder|vrij|zater|zon)dag\b|\b\d{1,2} (?:januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december)\b"
    r"|\b(?:in|vanaf|tot|sinds) (?:januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december)\b|\bmorgen\b|\bvolgende?\b|\bom \d{1,2}"
)
_JA_DATE = (
    r"\d{1,2}月|\d{1,2}日|[月火水木金土日]曜|来週|来月|出張|来年|明日|明後日|今週末|毎週|毎月|毎日|毎朝|\d{1,2}時"
)
_ZH_DATE = r"\d{1,2}月|\d{1,2}[日号號]|[零一二三四五六七八九十]{1,3}月|(?:周|星期|礼拜|週)[一二三四五六日天]|下周|下週|下个?月|明天|后天|後天|明年|每周|每天|每月|\d{1,2}点"

LANGUAGES: dict[str, Language] = {
    "de": _language(
        (
            ("decision", 3, r"\b(?:wir|ich|man|der vorstand|das team) (?:haben?|hat)\b.{0,60}\b(?:entschieden|beschlossen|vereinbart|festgelegt|geeinigt|ausgesucht|abgestimmt|umgestellt|gewechselt|gestrichen|verschoben)\b|\bentschieden\b|\bbeschlossen\b|\bentscheidung\b"),
            ("decision", 2, r"\bab (?:sofort|jetzt|heute|morgen|montag|dem|nächst)|\bvon (?:jetzt|nun) an\b|\bkünftig\b|\bstatt(?:dessen)?\b|\bendgültig\b|\bwir nehmen\b|\bwir bleiben bei\b|\bnicht mehr\b|\bwird (?:verschoben|verlegt|ersetzt)\b"),
            ("preference", 3, r"\bich (?:mag|hasse|liebe|bevorzuge|trinke|esse)\b|\b(?:lieber|am liebsten|lieblings\w+|ungern)\b|\bkann .{0,30}nicht (?:leiden|ausstehen|ertragen)\b|\bich (?:möchte|will|hätte gern)\b.{0,60}\b(?:immer|nie|nur|keine?|höchstens|maximal|statt)\b"),
            ("preference", 2.5, r"\b(?:bitte )?(?:immer|nie(?:mals)?|grundsätzlich|stets)\b|\bbitte (?:keine?|nur|kurz)\b|\bduz|\bsiez"),
            ("reminder", 3, r"\berinner(?:e|) ?(?:mich|uns)\b|\bnicht vergessen\b|\bvergiss nicht\b|\bmerk(?:e|) dir\b|\bdenk(?:e|) (?:bitte )?daran\b|\bfrist\b|\bfällig\b|\bspätestens\b|\bbis (?:zum|spätestens)\b|\bnotier"),
            ("plan", 2, r"\b(?:ich|wir) (?:werde|werden|wollen|plane|planen|fahre|fahren|fliege|fliegen|ziehe|ziehen|habe vor)\b|\b(?:termin|hochzeit|geburtstag|urlaub|reise|treffen|umzug|prüfung|feier|lieferung)\b|\bkommt am\b|\bgeplant\b|\bvor ?haben\b"),
            ("person", 2.5, r"\b(?:mein|meine|unser|unsere|meiner|meinem|meinen)\w* (?:\w+ )?(?:frau|mann|schwester|bruder|mutter|vater|tochter|sohn|oma|opa|tante|onkel|chefin?|kolleg\w+|nachbar\w*|freund\w*|partner\w*|kind\w*|steuerberater\w*|ärztin|arzt|vermieter\w*|schwieger\w+|hund|katze)\b|\ballergi\w+|\bvegan|\bvegetari\w+|\bverträgt kein|\b(?:ich heiße|mein name ist)\b|\bich bin (?:der|die|[A-ZÄÖÜ]\w+)\b|\bzuständig\b|\bansprechpartner|\bübernimmt\b|\bvertritt\b|\bist (?:jetzt |neu )?(?:unsere?|meine?) "),
            ("feeling", 2.5, r"\bich (?:bin|war|fühle mich|freue mich|habe)\b.{0,40}\b(?:nervös|traurig|froh|glücklich|erleichtert|stolz|wütend|müde|angst|sorgen?|aufgeregt|enttäuscht|gestresst|drauf)\b|\bfreu(?:e|) mich\b|\bmache mir sorgen\b|\bkonnte nicht schlafen\b|\bangst\b"),
            ("idea", 3, r"^(?:neue )?idee\b|\bwie wäre es\b|\bwir könnten\b|\bman könnte\b|\bvielleicht sollten\b|\bvorschlag\b|\bwas wäre,? wenn\b"),
            ("correction", 3, r"\b(?:korrektur|ich habe mich (?:geirrt|vertan|verschrieben)|ich meinte|stimmt nicht|falsch\w*)\b|\bnicht .{1,30}, sondern\b|\bsondern\b"),
            ("lesson", 2.5, r"\b(?:gelernt|lehre daraus|nächstes mal|beim nächsten mal|hätte(?:n)? .{0,30}sollen)\b"),
            ("fact", 2, r"\b(?:kostet|kosten|beträgt|liegt bei|gilt|heißt|lautet|wohnt|arbeitet|wiegt)\b|\bunser(?:e|em|en|er)? \w+|\bwir (?:haben|nutzen|verwenden|benutzen|verkaufen|backen|arbeiten mit|zahlen)\b|\bseit \d{4}\b|\bjede[nrs]? \w+"),
        ),
        "ja nein ok okay gut danke super prima klasse passt genau stimmt alles klar verstanden gern gerne bitte hallo hi moin guten morgen tag abend tschüss bis dann später toll perfekt schön sehr vielen dank na gut aha hm hmm so das ist mir dir euch wunderbar erledigt läuft geht",
        r"\b(?:fehler|kaputt|abgestürzt|absturz|geht nicht|funktioniert nicht|hängt|langsam|schon wieder|gerade eben|keine ahnung|egal|mal sehen|moment|haha)\b",
        r"^(?:was|wann|wo|wer|wie|warum|wieso|welche\w*|kannst|können|könntest|könnten|hast|haben|ist|sind|gibt|soll|weißt|wisst)\b",
        r"^(?:bitte )?(?:schreib|zeig|mach|lösch|such|öffne|starte|prüf|lies|übersetz|rechne|sag|schick|füg|erstell|fass|nenn|gib|hilf|korrigier|kürz)\w*\b",
        _DE_DATE,
        r"\b(?:ich|wir|mein\w*|unser\w*|mir|mich|uns)\b",
    ),
    "es": _language(
        (
            ("decision", 3, r"\b(?:hemos|he|han|se ha) (?:decidido|acordado|elegido|cambiado|votado|aprobado|quedado)\b|\b(?:decidimos|decidí|acordamos|quedamos en|elegimos|votamos)\b|\bdecisión\b|\bdecidido\b"),
            ("decision", 2, r"\ba partir de\b|\bdesde ahora\b|\bde ahora en adelante\b|\ben vez de\b|\ben lugar de\b|\bya no\b|\bnos quedamos con\b|\bse (?:cambia|mueve|pasa|traslada)\b|\bharemos\b|\busaremos\b"),
            ("preference", 3, r"\b(?:prefiero|preferimos|odio|detesto|me encantan?|me gustan?|no me gustan?|no soporto|mi favorit[oa]|adoro)\b|\bno (?:como|bebo|tomo)\b|\bquiero\b.{0,60}\b(?:siempre|nunca|solo|sólo|sin|máximo)\b"),
            ("preference", 2.5, r"\b(?:siempre|nunca|jamás)\b|\bpor favor,? (?:no|sin|solo|sólo)\b|\btutéa|\bcada vez que\b"),
            ("reminder", 3, r"\brecu[eé]rda(?:me|nos)\b|\brecordad?me\b|\bno (?:te )?olvid\w+\b|\bque no se (?:me|nos) olvide\b|\bten en cuenta\b|\bapunta\b|\banota\b|\bplazo\b|\bvence\b|\bfecha límite\b|\bhay que .{1,40}antes de\b"),
            ("plan", 2, r"\b(?:voy|vamos|va|van) a \w+|\b(?:iré|iremos|viajamos|viajaré|tengo|tenemos) (?:cita|reunión|médico|dentista|vuelo|examen|boda)\b|\b(?:boda|cumpleaños|vuelo|viaje|reunión|cita|examen|fiesta|mudanza|entrega)\b|\b(?:llega|llegan|viene|vienen|empieza|abre|recogen|cierra|sale)\b|\bpienso\b|\bplaneo\b"),
            ("person", 2.5, r"\b(?:mi|mis|nuestr[oa]s?|su) (?:\w+ )?(?:mujer|marido|esposa|esposo|hermana|hermano|madre|padre|hija|hijo|abuela|abuelo|tía|tío|prim[oa]|jef[ea]|compañer[oa]|vecin[oa]|amig[oa]|novi[oa]|soci[oa]|suegr[oa]|cuñad[oa]|sobrin[oa]|client[ea]|perr[oa]|gat[oa]|pareja|niet[oa])\b|\balérgic[oa]\b|\bintolerante\b|\bvegan[oa]\b|\bvegetarian[oa]\b|\bceliac[oa]|\bcelíac[oa]\b|\bme llamo\b|\bsoy (?:el|la|un|una|de|[A-ZÁÉÍÓÚ]\w+)\b|\bse encarga\b|\bes (?:nuestr[oa]|mi|el|la) (?:\w+ )?(?:responsable|encargad[oa]|contacto|jef[ea]|proveedor\w*)|\bsustituye\b"),
            ("feeling", 2.5, r"\b(?:estoy|estaba|me siento|me sentí|estuve)\b.{0,30}\b(?:nervios[oa]|triste|content[oa]|feliz|preocupad[oa]|orgullos[oa]|cansad[oa]|aliviad[oa]|enfadad[oa]|ilusionad[oa]|agobiad[oa]|tranquil[oa])\b|\bme (?:da|dan) (?:miedo|pena|rabia|ilusión)\b|\bqué ilusión\b|\bno (?:pude|puedo) dormir\b|\bme preocupa\b"),
            ("idea", 3, r"^(?:nueva |una )?idea\b|\bpodríamos\b|\by si\b|\bqué tal si\b|\bpropongo\b|\bse me ocurre\b|\bestaría bien\b|\bhe pensado\b"),
            ("correction", 3, r"\b(?:corrección|corrijo|me he equivocado|me equivoqué|quería decir|perdón,? (?:es|son|era)|mal)\b|\bno .{1,25}, sino\b|, no (?:el|la|los|las|en|\d|de|a)"),
            ("lesson", 2.5, r"\b(?:he aprendido|aprendí|aprendimos|lección|la próxima vez)\b"),
            ("fact", 2, r"\b(?:cuesta|cuestan|vale|valen|mide|pesa|se llama|vive|trabaja|es de|usamos|utilizamos|tenemos|vendemos|pagamos)\b|\bnuestr[oa]s? \w+|\bdesde \d{4}\b|\bcada \w+|\btodos los\b|\btodas las\b|\bnecesitamos\b|\breceta\b"),
        ),
        "sí si no vale ok okay bien gracias perfecto genial claro bueno de acuerdo entendido hola buenos buenas días tardes noches adiós hasta luego mañana muy muchas mucho todo jaja jajaja jeje hecho listo exacto eso es estupendo por favor nada ya qué bien guay",
        r"\b(?:error|falla|roto|no funciona|no va|se cuelga|lento|otra vez|ahora mismo|ni idea|da igual|un momento|jaja+|espera)\b",
        r"^[¿]|^(?:qué|cuándo|dónde|quién|cómo|por qué|cuál|cuánt[oa]s?|puedes|podéis|podrías|tienes|hay|sabes)\b",
        r"^(?:por favor,? )?(?:escribe|muestra|haz|borra|busca|abre|ejecuta|comprueba|revisa|lee|traduce|calcula|dime|manda|envía|añade|crea|resume|ayúdame|pon|corrige|acorta)\w*\b",
        _ES_DATE,
        r"\b(?:yo|nosotros|mi|mis|me|nos|nuestr\w+|\w{2,}(?:amos|emos|imos))\b|\b(?:tengo|soy|estoy|voy|hago|vivo|trabajo|quiero|uso|llevo)\b",
    ),
    "fr": _language(
        (
            ("decision", 3, r"\b(?:on a|nous avons|j'ai|ils ont|l'équipe a) (?:\w+ )?(?:décidé|choisi|voté|convenu|opté|tranché|changé|adopté|retenu|validé|acté)\b|\bc'est (?:décidé|acté|tranché|validé)\b|\bdécision\b|\bdécidé\b"),
            ("decision", 2, r"\bà partir d[eu']|\bdésormais\b|\bdorénavant\b|\bau lieu d[eu']|\bplutôt que\b|\bne .{1,20} plus\b|\bon (?:prend|garde|part sur|passe à|reste sur)\b|\best (?:reporté|déplacé|avancé|remplacé)e?\b"),
            ("preference", 3, r"\bje (?:préfère|déteste|n'aime pas|n'aime|ne supporte pas|ne mange pas|ne bois pas)\b|\bj'(?:aime|adore)\b|\b(?:mon|ma|mes) \w+ préférée?s?\b|\bje (?:veux|voudrais|souhaite)\b.{0,60}\b(?:toujours|jamais|que|sans|maximum)\b|\bje suis (?:végétarien|végane?|allergique)"),
            ("preference", 2.5, r"\b(?:toujours|jamais)\b|\bs'il te plaît,? (?:pas|sans)\b|\btutoie|\bvouvoie|\bchaque fois\b|\bpas de \w+ (?:dans|avec|pour)\b"),
            ("reminder", 3, r"\brappelle[sz]?(?:-moi|-nous| moi)\b|\bn'?oublie[szr]? pas\b|\bpense[szr]? à\b|\bgarde[sz]? (?:en tête|à l'esprit)\b|\bà retenir\b|\bretiens\b|\bdate limite\b|\béchéance\b|\bavant le \d|\bd'ici\b|\bnote[sz]? (?:que|bien|:)"),
            ("plan", 2, r"\b(?:je vais|on va|nous allons|je pars|on part|nous partons|j'irai|on ira|je compte|on compte|je prévois|c'est prévu|j'ai rendez-vous|je ferai)\b|\b(?:rendez-vous|mariage|anniversaire|vol|voyage|réunion|fête|examen|déménagement|livraison|répétition|concert)\b|\b(?:arrive|arrivent|vient|viennent|commence|ouvre|ferme|apporte|amène|s'occupe)\b|\bj'apporte\b|\bje (?:m'occupe|prends|réserve|viens|serai)\b"),
            ("person", 2.5, r"\b(?:ma|mon|mes|notre|nos|sa|son) (?:\w+ )?(?:femme|mari|sœur|soeur|frère|mère|père|fille|fils|grand-mère|grand-père|tante|oncle|cousine?|chef|cheffe|patronne?|collègue|voisine?|amie?|copine|copain|associée?|belle-\w+|beau-\w+|cliente?|chienn?e?|chatt?e?|nièce|neveu|médecin)\b|\ballergique\b|\bintolérante?\b|\bvégétarien|\bvégane?\b|\bje m'appelle\b|\bje suis (?:le|la|un|une|[A-ZÉ]\w+)\b|\bremplace\b|\bresponsable\b|\best (?:notre|mon|ma) "),
            ("feeling", 2.5, r"\b(?:je suis|j'étais|je me sens|j'ai été)\b.{0,30}\b(?:nerveu(?:x|se)|triste|contente?|heureu(?:x|se)|inqui[eè]te?|fi[eè]re?|fatiguée?|soulagée?|énervée?|stressée?|déçue?|ravie?|émue?)\b|\bj'ai (?:\w+ )?(?:peur|hâte|honte)\b|\bhâte\b|\bça m'(?:inquiète|énerve|angoisse)\b|\bpas (?:pu )?dormir\b"),
            ("idea", 3, r"^(?:une |nouvelle |petite )?idée\b|\bon pourrait\b|\bet si\b|\bje propose\b|\bça serait (?:bien|sympa)\b|\bce serait (?:bien|sympa)\b|\bpourquoi (?:ne )?pas\b"),
            ("correction", 3, r"\b(?:correction|je me suis trompée?|je voulais dire|erreur de ma part|en fait)\b|\bnon pas\b|\bpas .{1,25}, mais\b|, pas (?:le|la|les|à|en|\d|du|des|de)\b"),
            ("lesson", 2.5, r"\b(?:j'ai appris|on a appris|leçon|la prochaine fois)\b"),
            ("fact", 2, r"\b(?:coûte|coûtent|mesure|pèse|s'appelle|habite|travaille|utilise|utilisons|on utilise|vend|paie|loyer|tarif|prix)\b|\b(?:notre|nos) \w+|\bdepuis \d{4}\b|\btous les\b|\btoutes les\b|\bchaque \w+"),
        ),
        "oui non ok okay bien merci parfait super génial d'accord d accord entendu compris bonjour bonsoir salut coucou au revoir à bientôt plus tard très beaucoup tout mdr ptdr haha cool top voilà exactement c'est ça noté fait je t'en prie de rien s'il te plaît vous hello génial ça marche va roule bon",
        r"\b(?:erreur|plante|cassée?|ne marche pas|marche pas|bug|lente?|encore une fois|en ce moment|aucune idée|peu importe|un instant|attends|mdr|haha)\b",
        r"^(?:qu'|que |quoi|quand|où|qui|comment|pourquoi|quel\w*|combien|est-ce|peux-tu|pouvez|pourrais|tu peux|tu as|as-tu|avez|y a-t|c'est quoi|c'est qui)",
        r"^(?:s'il te plaît,? )?(?:écris|montre|fais|efface|supprime|cherche|ouvre|lance|vérifie|lis|traduis|calcule|dis|envoie|ajoute|crée|résume|aide|mets|corrige|raccourcis|donne)\w*\b",
        _FR_DATE,
        r"\b(?:je|nous|on|mon|ma|mes|notre|nos|moi)\b|\bj'",
    ),
    "pt": _language(
        (
            ("decision", 3, r"\b(?:decidimos|decidi|decidiu|combinamos|escolhemos|ficou (?:decidido|combinado)|optamos|acertamos|trocamos|mudamos|votamos|resolvemos|fechamos)\b|\bdecisão\b|\bdecidido\b"),
            ("decision", 2, r"\ba partir d[eoa]\b|\bde agora em diante\b|\bem vez d[eoa]\b|\bao invés\b|\bnão .{1,20} mais\b|\bvamos (?:ficar com|usar|de)\b|\bpassa (?:a|para)\b|\bfoi (?:adiad|mudad|transferid)"),
            ("preference", 3, r"\b(?:prefiro|preferimos|odeio|detesto|adoro|não suporto|meu \w+ favorito|minha \w+ favorita)\b|\b(?:não )?gosto (?:de|muito|mais)\b|\bnão (?:como|bebo|tomo)\b|\bquero\b.{0,60}\b(?:sempre|nunca|só|sem|no máximo)\b"),
            ("preference", 2.5, r"\b(?:sempre|nunca|jamais)\b|\bpor favor,? (?:não|sem|só)\b|\btoda vez que\b"),
            ("reminder", 3, r"\b(?:me lembr[ae]|lembr[ae]-me|lembra-me|lembre-me|não (?:me |te )?esqueç\w+|não (?:se )?esquec\w+|tenha em mente|anot[ae]|prazo|vence|data limite)\b|\baté (?:o )?dia\b|\blembrar de\b"),
            ("plan", 2, r"\b(?:vou|vamos|vai|vão|irei|iremos|pretendo|planejo|tenho (?:consulta|reunião|dentista|médico|voo|prova))\b|\b(?:casamento|aniversário|voo|viagem|reunião|consulta|prova|festa|mudança|entrega)\b|\b(?:chega|chegam|vem|vêm|começa|abre|fecha)\b"),
            ("person", 2.5, r"\b(?:minha|meu|meus|minhas|nossa|nosso|sua|seu) (?:\w+ )?(?:mulher|marido|esposa|irmã|irmão|mãe|pai|filha|filho|avó|avô|tia|tio|prim[oa]|chefe|colega|vizinh[oa]|amig[oa]|namorad[oa]|sóci[oa]|sogr[oa]|cunhad[oa]|sobrinh[oa]|client[e]|cachorr[oa]|gat[oa]|net[oa])\b|\balérgic[oa]\b|\bintolerante\b|\bvegan[oa]\b|\bvegetarian[oa]\b|\bcelíac[oa]\b|\bme chamo\b|\bmeu nome é\b|\bsou (?:o|a|um|uma|de|[A-ZÁÉÍÓÚ]\w+)\b|\bresponsável\b|\bcuida d[eoa]\b|\bsubstitui\b"),
            ("feeling", 2.5, r"\b(?:estou|estava|fiquei|me sinto|ando)\b.{0,30}\b(?:nervos[oa]|triste|content[e]|feliz|preocupad[oa]|orgulhos[oa]|cansad[oa]|aliviad[oa]|ansios[oa]|chatead[oa]|animad[oa]|estressad[oa])\b|\btenho medo\b|\bnão consegui dormir\b|\bmal posso esperar\b|\bsaudades?\b"),
            ("idea", 3, r"^(?:nova |uma )?ideia\b|\bpoderíamos\b|\bpodíamos\b|\be se\b|\bque tal\b|\bproponho\b|\bseria (?:bom|legal)\b"),
            ("correction", 3, r"\b(?:correção|corrigindo|me enganei|errei|eu quis dizer|quis dizer|desculpa,? (?:é|são|era)|na verdade)\b|\bnão .{1,25}, (?:e sim|mas)\b|, não (?:o|a|os|as|em|\d|de|na|no)\b|\be não (?:o|a|\d|em)\b"),
            ("lesson", 2.5, r"\b(?:aprendi|aprendemos|lição|da próxima vez)\b"),
            ("fact", 2, r"\b(?:custa|custam|mede|pesa|se chama|mora|trabalha|usamos|temos|vendemos|pagamos|aluguel|preço)\b|\bnoss[oa]s? \w+|\bdesde \d{4}\b|\btodos os\b|\btodas as\b|\bcada \w+|\btod[oa] \w+"),
        ),
        "sim não ok okay bem bom obrigad obrigado obrigada valeu perfeito ótimo claro certo combinado entendido oi olá bom dia boa tarde noite tchau até logo mais muito tudo kkk kkkk haha rs feito pronto exato isso é legal beleza por favor nada anotado de",
        r"\b(?:erro|falha|quebrad[oa]|não funciona|travou|lent[oa]|de novo|agora mesmo|não sei|tanto faz|um momento|espera|k{3,}|haha)\b",
        r"^(?:o que|que |quando|onde|quem|como|por que|qual|quais|quant[oa]s?|você pode|pode|poderia|tem|há|sabe)\b",
        r"^(?:por favor,? )?(?:escreve|escreva|mostra|mostre|faz|faça|apaga|procura|abre|abra|roda|verifica|lê|leia|traduz|traduza|calcula|diga|manda|envia|cria|crie|resume|resuma|ajuda|coloca|corrige|encurta)\w*\b",
        _PT_DATE,
        r"\b(?:eu|nós|a gente|meu|minha|meus|minhas|noss\w+|me|nos|\w{2,}(?:amos|emos|imos))\b|\b(?:tenho|sou|estou|vou|faço|moro|trabalho|quero|uso|levo)\b",
    ),
    "it": _language(
        (
            ("decision", 3, r"\b(?:abbiamo|ho|hanno) (?:deciso|scelto|concordato|votato|stabilito|cambiato)\b|\bdecisione\b|\bdeciso\b"),
            ("decision", 2, r"\bd'ora in poi\b|\ba partire da|\binvece d|\bal posto d|\bnon .{1,20} più\b"),
            ("preference", 3, r"\b(?:preferisco|odio|detesto|adoro|non sopporto|mi piace|mi piacciono|non mi piace|preferit[oa])\b|\bnon (?:mangio|bevo)\b"),
            ("preference", 2.5, r"\b(?:sempre|mai)\b"),
            ("reminder", 3, r"\b(?:ricordami|ricordaci|non dimenticare|tieni presente|annota|scadenza|scade|entro il)\b"),
            ("plan", 2, r"\b(?:andrò|andremo|farò|faremo|ho in programma|matrimonio|compleanno|volo|viaggio|riunione|appuntamento|esame|festa|trasloco)\b|\b(?:arriva|viene|comincia|inizia|apre|chiude)\b"),
            ("person", 2.5, r"\b(?:mi[ao]|nostr[ao]|su[ao]) (?:\w+ )?(?:moglie|marito|sorella|fratello|madre|padre|figli[ao]|nonn[ao]|zi[ao]|cugin[ao]|capo|collega|vicin[ao]|amic[ao]|soci[ao]|suocer[ao]|cliente|cane|gatt[ao])\b|\ballergic[ao]\b|\bvegan[ao]\b|\bvegetarian[ao]\b|\bmi chiamo\b|\bsono (?:il|la|un|una|di)\b|\bresponsabile\b|\bsostituisce\b"),
            ("feeling", 2.5, r"\b(?:sono|ero|mi sento)\b.{0,30}\b(?:nervos[ao]|triste|content[ao]|felice|preoccupat[ao]|orgoglios[ao]|stanc[ao]|sollevat[ao]|arrabbiat[ao])\b|\bho paura\b|\bnon vedo l'ora\b"),
            ("idea", 3, r"^(?:nuova |un')?idea\b|\bpotremmo\b|\be se\b|\bpropongo\b"),
            ("correction", 3, r"\b(?:correzione|mi sono sbagliat[ao]|volevo dire|anzi)\b|\bnon .{1,25}, ma\b|, non (?:il|la|le|i|\d|di)\b"),
            ("fact", 2, r"\b(?:costa|costano|misura|pesa|si chiama|abita|lavora|usiamo|abbiamo|vendiamo|paghiamo|affitto|prezzo)\b|\bnostr[aoie] \w+|\bdal \d{4}\b|\bogni \w+"),
        ),
        "sì si no ok okay bene grazie perfetto ottimo certo capito ciao buongiorno buonasera arrivederci a dopo domani molto tutto ahah fatto esatto va prego d'accordo",
        r"\b(?:errore|rotto|non funziona|lento|di nuovo|adesso|non so|un attimo|aspetta|ahah\w*)\b",
        r"^(?:che|cosa|quando|dove|chi|come|perché|quale|quali|quant[oaie]|puoi|potresti|hai|c'è|sai)\b",
        r"^(?:per favore,? )?(?:scrivi|mostra|fai|cancella|cerca|apri|esegui|controlla|leggi|traduci|calcola|dimmi|manda|invia|aggiungi|crea|riassumi|aiutami|metti|correggi)\b",
        _IT_DATE,
        r"\b(?:io|noi|mi[oaei]|nostr\w+|mi|ci|\w{2,}iamo)\b|\b(?:ho|sono|vado|porto|faccio|vivo|lavoro|voglio|uso)\b",
    ),
    "nl": _language(
        (
            ("decision", 3, r"\b(?:we|wij|ik) (?:hebben|heb)\b.{0,50}\b(?:besloten|afgesproken|gekozen|gestemd|gewisseld)\b|\bbesluit\b|\bbesloten\b|\bafgesproken\b"),
            ("decision", 2, r"\bvanaf (?:nu|vandaag|maandag)|\bvoortaan\b|\bin plaats van\b|\bniet meer\b|\bwe gaan voor\b"),
            ("preference", 3, r"\b(?:liever|het liefst|favoriete?|ik haat|ik hou (?:niet )?van|ik vind .{1,30}(?:niet )?(?:leuk|lekker|fijn))\b|\bik (?:eet|drink) (?:geen|nooit)\b"),
            ("preference", 2.5, r"\b(?:altijd|nooit)\b|\bgraag (?:geen|alleen|kort)\b"),
            ("reminder", 3, r"\bherinner (?:me|mij|ons)\b|\bvergeet niet\b|\bniet vergeten\b|\bonthoud\b|\bdeadline\b|\buiterlijk\b|\bnoteer\b"),
            ("plan", 2, r"\b(?:ik|we|wij) (?:ga|gaan|zal|zullen|wil|willen) \w+|\b(?:bruiloft|verjaardag|vlucht|reis|vergadering|afspraak|examen|feest|verhuizing|levering)\b|\b(?:komt|komen|begint|opent|sluit|vertrekt)\b"),
            ("person", 2.5, r"\b(?:mijn|onze|ons|zijn|haar) (?:\w+ )?(?:vrouw|man|zus|broer|moeder|vader|dochter|zoon|oma|opa|tante|oom|baas|collega|buurman|buurvrouw|vriend|vriendin|partner|schoon\w+|klant|hond|kat)\b|\ballergisch\b|\bveganist|\bvegetari\w+|\bik heet\b|\bik ben (?:de|een|[A-Z]\w+)\b|\bverantwoordelijk\b|\bvervangt\b|\bneemt .{1,30} over\b"),
            ("feeling", 2.5, r"\b(?:ik ben|ik was|ik voel me)\b.{0,30}\b(?:zenuwachtig|verdrietig|blij|gelukkig|bezorgd|trots|moe|opgelucht|boos|gestrest)\b|\bik maak me zorgen\b|\bkan niet wachten\b|\bzin in\b"),
            ("idea", 3, r"^(?:nieuw )?idee\b|\bwe kunnen misschien\b|\bwat als\b|\bwe zouden\b|\bmisschien moeten\b|\bik stel voor\b"),
            ("correction", 3, r"\b(?:correctie|ik heb me vergist|ik bedoelde)\b|\bniet .{1,25}, maar\b|, niet\b"),
            ("fact", 2, r"\b(?:kost|kosten|weegt|heet|woont|werkt|gebruiken|verkopen|betalen|huur|prijs)\b|\bonze? \w+|\bsinds \d{4}\b|\belke? \w+"),
        ),
        "ja nee ok oké goed bedankt dank dankjewel perfect prima top fijn leuk hoi hallo goedemorgen doei tot straks later heel veel alles klopt precies snap begrepen graag gedaan",
        r"\b(?:fout|kapot|werkt niet|traag|alweer|nu even|geen idee|maakt niet uit|momentje|wacht|haha)\b",
        r"^(?:wat|wanneer|waar|wie|hoe|waarom|welke?|kun|kan|kunnen|heb|is|zijn|weet)\b",
        r"^(?:alsjeblieft )?(?:schrijf|toon|maak|verwijder|zoek|open|start|controleer|lees|vertaal|bereken|zeg|stuur|voeg|vat|help|geef)\b",
        _NL_DATE,
        r"\b(?:ik|wij|we|mijn|onze?|mij|me)\b",
    ),
    "ja": _language(
        (
            ("decision", 3, r"決め(?:た|ました|て)|決ま(?:った|りました)|決定|ことにし(?:た|ました|ます)|になりました|にします|に変更|切り替え"),
            ("decision", 2, r"これから(?:は|ずっと)?|今後|ではなく|じゃなくて|の代わりに|をやめ"),
            ("preference", 3, r"好き|嫌い|苦手|好み|の方がいい|のほうがいい|がいいです|ほしい|欲しい|お気に入り"),
            ("preference", 2.5, r"いつも|必ず|絶対に?|毎回|使わないで|しないで(?:ください)?|でお願いします|書いてください|は(?:不要|いりません)|食べられ(?:ない|ません)|飲(?:まない|みません|めません)|食べ(?:ない|ません)"),
            ("reminder", 3, r"忘れないで|忘れずに|覚えて(?:おいて)?|リマインド|思い出させ|締め切り|締切|期限|までに|メモして"),
            ("plan", 2, r"予定|つもり|出張|行きます|行く(?:予定|つもり)?|会います|来ます|始ま(?:る|ります)|引っ越(?:す|し|します)|出発|旅行|会議|打ち合わせ|発表|誕生日|結婚式|試験|面接|予約"),
            ("person", 2.5, r"(?:私|僕|俺|うち)の?(?:妻|夫|姉|兄|妹|弟|母|父|娘|息子|祖母|祖父|友達|友人|上司|同僚|先生|犬|猫)|(?:妻|夫|姉|兄|妹|弟|母|父|娘|息子|祖母|祖父|上司|同僚|部長|課長|社長)(?:の|は|が)|アレルギー|ベジタリアン|ヴィーガン|と申します|といいます|という名前|担当(?:は|者|です)|さんは|さんが"),
            ("feeling", 2.5, r"(?:嬉し|うれし|悲し|寂し|怖|不安|緊張|心配|楽しみ|悔し|安心|疲れ|ほっと|落ち込|感動|イライラ|眠れな)"),
            ("idea", 3, r"アイデア|アイディア|提案|思いつ|たらどう|のはどう|してみたい|かもしれない"),
            ("correction", 3, r"訂正|間違え|間違い|違いました|じゃなくて|ではなくて?|正しくは"),
            ("lesson", 2.5, r"学ん(?:だ|で)|教訓|次(?:回|から)は"),
            ("fact", 2, r"(?:円|ドル|ユーロ|キロ|メートル|名|人|個|本|枚)(?:です|でした)?|住んで|働いて|使って(?:い|る)|名前は|うちの|弊社|当社|毎週|毎日|毎月|から始め"),
        ),
        "はい いいえ うん ええ ありがとう ありがとうございます どうも 了解 了解です 了解しました わかりました 分かりました なるほど おはよう おはようございます こんにちは こんばんは お疲れ様です お疲れさま おやすみ よろしく よろしくお願いします すみません ごめん すごい いいね そうですね そうです 大丈夫 大丈夫です オッケー 完璧 助かります おめでとう おめでとうございます 笑 承知しました かしこまりました どういたしまして",
        r"エラー|動かない|動きません|壊れ|落ち(?:た|ました)|遅い|また(?:失敗|落ち)|ちょっと待|笑$|ｗ|www",
        r"(?:ですか|ますか|でしょうか|かな|の)[?？]?$|^(?:何|いつ|どこ|誰|どう|なぜ|どの|いくつ|いくら)",
        r"(?:翻訳して|書いて|教えて|調べて|見せて|直して|実行して|削除して|作って|計算して|要約して|確認して|送って|短くして|開いて)(?:ください|くれ|もらえ|ほしい)?[。！]?$",
        _JA_DATE,
        r"私|僕|俺|うち|弊社|当社|我々|自分",
    ),
    "zh": _language(
        (
            ("decision", 3, r"决定|決定|定(?:了|下来|在)|说好|說好|商量好|选(?:了|定|择了)|選(?:了|定)|改(?:成|用|为|到)|换成|換成|敲定|投票|确定|確定"),
            ("decision", 2, r"以后|以後|从现在(?:起|开始)|從現在|今后|今後|而不是|不再|不要再|代替"),
            ("preference", 3, r"喜欢|喜歡|讨厌|討厭|偏好|更愿意|宁愿|受不了|不(?:爱|愛|想要)?(?:吃|喝)|最爱|最愛|希望你|我(?:想要|要)"),
            ("preference", 2.5, r"总是|總是|永远|从不|從不|一律|务必|請?(?:不要|别)(?:用|再|给|写)|每次|请用|請用|一定要"),
            ("reminder", 3, r"提醒(?:我|我们|一下)|记得|記得|别忘|別忘|不要忘|记住|記住|截止|到期|最晚|之前要|记一下|記一下"),
            ("plan", 2, r"打算|计划|計劃|准备(?:去|在|要)|將|将(?:在|于)|要去|会去|会来|出发|开会|開會|旅行|出差|婚礼|生日|考试|面试|搬(?:家|到)|预约|预订|开始|到达|来(?:访|北京|上海|我们)|飞"),
            ("person", 2.5, r"我(?:的)?(?:妻子|老婆|丈夫|老公|姐姐|哥哥|妹妹|弟弟|妈妈|爸爸|母亲|父亲|女儿|儿子|奶奶|爷爷|外婆|外公|朋友|老板|同事|老师|邻居|客户|女朋友|男朋友|狗|猫)|过敏|過敏|素食|吃素|我叫|我是|负责|負責|名叫|接替|(?:先生|女士|小姐|经理|老师|医生)(?:是|会|在|的|要)"),
            ("feeling", 2.5, r"(?:开心|高兴|高興|难过|難過|担心|擔心|紧张|緊張|害怕|期待|骄傲|失望|生气|累|焦虑|睡不着|松了(?:一)?口气|放心|激动|兴奋|压力)"),
            ("idea", 3, r"想法|主意|点子|建议|建議|提议|要不|不如|可以考虑|我们可以|如果我们|能不能试"),
            ("correction", 3, r"更正|纠正|说错|說錯|搞错|弄错|记错|写错|不是.{1,15}(?:而)?是|应该是|應該是"),
            ("lesson", 2.5, r"学到|教训|下次(?:要|不)"),
            ("fact", 2, r"(?:元|块|公斤|米|公里|人|个|件|箱|吨)|住在|工作|用的是|叫做|名字是|我们(?:用|有|卖|公司|店|团队)|每(?:周|天|月|年)|一共|价格|房租|电话"),
        ),
        "好 好的 是 是的 对 不 嗯 嗯嗯 谢谢 謝謝 多谢 明白 明白了 知道了 收到 没问题 可以 行 早 早上好 你好 您好 晚安 再见 拜拜 哈哈 哈哈哈 不错 太好了 完美 没事 不客气 辛苦了 抱歉 对不起 好吧 当然 恭喜 了解",
        r"报错|錯誤|错误|崩溃|坏了|不行|太慢|又(?:慢|坏|挂)|等一下|不知道|随便|哈哈",
        r"(?:吗|嗎|呢|么)[?？]?$|^(?:什么|怎么|哪|谁|几|多少|为什么|能不能|可不可以|是不是)",
        r"^(?:请|請|帮我|幫我)?(?:翻译|写(?:一|个|封)|查(?:一下)?|看(?:一下|看)|打开|运行|删除|计算|总结|告诉我|发(?:给|送)|修(?:复|改)|创建|缩短|解释)",
        _ZH_DATE,
        r"我|咱|俺",
    ),
}  # fmt: skip
"""By ISO code. A language that is not here is judged by figures, dates and names alone."""
