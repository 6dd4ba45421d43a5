from __future__ import annotations

import pytest

from crustacean.models.offline.lead import core


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("Yes, and please keep it short.", "please keep it short."),
        ("ok so by the way, I live in Leeds", "I live in Leeds"),
        ("Oh good. We use pnpm", "We use pnpm"),
        ("@crab_bot note: Milo buys 14 posts", "Milo buys 14 posts"),
        ("You should know that I sew costumes.", "I sew costumes."),
        ("re API: no, we page by cursor", "we page by cursor"),
        ("The launch is on 14 September, keep that in mind.", "The launch is on 14 September"),
        ("due Friday noon pls", "due Friday noon"),
        ("Nice work 🎉 :)", "Nice work"),
    ],
)
def test_what_leads_in_and_tails_off_is_taken_away(sentence: str, left: str) -> None:
    assert core(sentence).text == left


def test_what_was_taken_away_is_remembered() -> None:
    assert core("Decision: we store JSON.").label == "decision"
    assert core("New idea: a loyalty card").label == "idea"
    assert core("Wrong date: Karim comes on 3 February.").label == "correction"
    assert core("Keep in mind that the gate closes at 22:00").to_keep
    assert core("Agreed, no mint").affirms
    assert core("Sorry, it is the 23rd").corrects


def test_a_topic_in_the_label_stays() -> None:
    assert core("Plan for February: we try rye.").text == "Plan for February: we try rye."
    assert core("Correction on the flour: it's 0.79").text == "Correction on the flour: it's 0.79"


def test_a_question_that_only_wants_a_nod_is_a_statement() -> None:
    asked = core("the offsite: Lisbon, 3-5 November, everyone agreed?")
    assert (asked.text, asked.tag_question) == ("the offsite: Lisbon, 3-5 November", True)
    assert core("Remember when I said the dog is scared of fireworks?").tag_question
    assert not core("Is it in Lisbon?").tag_question
