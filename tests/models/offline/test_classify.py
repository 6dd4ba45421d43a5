from __future__ import annotations

import pytest

from crustacean.models.offline.classify import classify
from crustacean.models.offline.lead import core


def tag(sentence: str, lang: str = "en") -> str:
    return classify(core(sentence), sentence.rstrip().endswith(("?", "？")), lang).tag


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We decided to host it in Frankfurt.", "decision"),
        ("From now on invoices go out on Fridays.", "decision"),
        ("Let's go with the blue logo.", "decision"),
        ("I can't stand cilantro.", "preference"),
        ("Please always answer in German.", "preference"),
        ("Never call me before ten.", "preference"),
        ("Remind me to renew the passport.", "reminder"),
        ("Don't forget the blue folder.", "reminder"),
        ("The report is due on 3 May.", "reminder"),
        ("I'll send you the draft by Friday.", "promise"),
        ("I'm planning to open a second shop in autumn.", "plan"),
        ("Mr. Tanabe visits on 2 October.", "plan"),
        ("My sister Jana lives in Bremen.", "person"),
        ("Wei is allergic to shellfish.", "person"),
        ("The surgeon is Dr. Imre Vass.", "person"),
        ("Idea: let readers adopt a link.", "idea"),
        ("What if we shipped it as a plug-in?", "idea"),
        ("I'm nervous about the exam.", "feeling"),
        ("Lesson learned: level 6 is plenty.", "lesson"),
        ("As my grandmother always says: slow is smooth.", "quote"),
        ("Correction: the tank comes on 12 January.", "correction"),
        ("The flat has three rooms and costs 980 EUR.", "fact"),
    ],
)
def test_kinds(sentence: str, expected: str) -> None:
    assert tag(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "ok thanks!",
        "lol",
        "👍",
        "haha good one",
        "What's 17% of 240?",
        "can you check the log",
        "Run the tests",
        "Make it shorter.",
        "Delete them.",
        "Translate this to Welsh",
        "The build fails again.",
        "the wifi is slow again",
        "That did it.",
        "That worked like a charm.",
        "It works now.",
        "in my car",
        "10 min",
        "Let's do something boring",
        "kitchen was like a sauna",
        "please note both of those",
        "I'll check.",
    ],
)
def test_talk_of_the_moment_is_not_kept(sentence: str) -> None:
    assert tag(sentence) == ""


@pytest.mark.parametrize(
    ("lang", "sentence", "expected"),
    [
        ("de", "Wir haben beschlossen, im Garten zu feiern.", "decision"),
        ("de", "Erinnere mich an den Zahnarzt am Freitag.", "reminder"),
        ("es", "Prefiero respuestas cortas.", "preference"),
        ("es", "Mi hermana Lucía es alérgica a las nueces.", "person"),
        ("fr", "On a choisi le fournisseur de Nantes.", "decision"),
        ("fr", "Je suis inquiète pour mon père.", "feeling"),
        ("pt", "Não gosto de café.", "preference"),
        ("it", "Mia sorella Chiara si sposa il 20 giugno.", "person"),
        ("nl", "We hebben besloten om te verhuizen.", "decision"),
        ("ja", "来月の15日に福岡へ引っ越します。", "plan"),
        ("zh", "我们决定用新的供应商。", "decision"),
    ],
)
def test_other_languages_by_their_cues(lang: str, sentence: str, expected: str) -> None:
    assert tag(sentence, lang) == expected


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("de", "alles klar, danke"),
        ("de", "Wie wird das Wetter?"),
        ("de", "Bitte zeig mir die Datei"),
        ("es", "jajaja qué frío"),
        ("es", "¿Qué hora es?"),
        ("fr", "merci !"),
        ("fr", "Bonjour, corrige cette phrase"),
        ("pt", "obrigado, tudo bem"),
        ("ja", "ありがとうございます"),
        ("ja", "これを翻訳してください"),
        ("zh", "好的，谢谢"),
    ],
)
def test_talk_of_the_moment_in_other_languages(lang: str, sentence: str) -> None:
    assert tag(sentence, lang) == ""


def test_a_language_without_a_table_is_judged_by_names_and_figures() -> None:
    assert tag("Tapaamme Helsingissä Liisa Virtasen kanssa kello 15.", "fi") == "fact"
    assert tag("kiitos paljon", "fi") == ""
