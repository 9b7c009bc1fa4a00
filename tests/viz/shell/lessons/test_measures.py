"""Measures of lessons against the same figures computed in another way."""

import re

import numpy as np
import pytest

from model import AblateHead, Recording, TieQueries, Translator, load_translator
from model.interventions.masks import LiftMask
from model.interventions.scale import Unscale
from model.measures import unigram
from model.measures.atlas.roles import ROLES
from model.measures.vocabulary import learned
from model.recurrent.looking import Looking
from model.sites.sites import Head
from viz.compute import atlas, learning, models, vocabulary
from viz.compute.runs import Subject
from viz.shell.lessons.form import Form, effect_of
from viz.shell.lessons.format import Condition, measures_in
from viz.shell.lessons.measures import FORMS, holds, is_measure, measure, written
from viz.shell.lessons.questions import QUESTIONS
from viz.shell.lessons.shelf import OURS, shipped

TIRED = "The animal didn't cross the street because it was too tired."
WIDE = TIRED.replace("tired", "wide")
NAMED = {role for roles in ROLES.values() for role in roles}


@pytest.fixture(scope="module")
def translator() -> Translator:
    return load_translator("en-fr")


@pytest.fixture(scope="module")
def tired(translator: Translator) -> Recording:
    return translator.record(TIRED)


def chance(recording: Recording, translator: Translator, given: str, piece: str) -> float:
    """The probability of a piece in the row before the one that was given `given`."""
    logits = recording.logits[recording.target_tokens.index(given) - 1].astype(np.float64)
    powers = np.exp(logits - logits.max())
    return float(powers[translator.tokenizer.id(piece)] / powers.sum())


def test_texts_and_pronouns(translator: Translator) -> None:
    assert measure("translation", Subject(TIRED)) == translator.translate(TIRED).text
    assert measure("pronoun", Subject(TIRED)) == "il"
    assert measure("pronoun", Subject(WIDE)) == "elle"
    assert measure("pronoun", Subject("The cat is here.")) == "none"


def test_probabilities_of_a_word_and_of_the_pronoun_that_was_not_written(
    translator: Translator, tired: Recording
) -> None:
    for word, piece in (("il", "il"), ("elle", "elle")):
        expected = chance(tired, translator, "il", piece)
        assert measure(f"probability of {word}", Subject(TIRED)) == pytest.approx(
            expected, abs=1e-5
        )
    expected = chance(tired, translator, "▁rue", "▁rue")
    assert measure("probability of rue", Subject(TIRED)) == pytest.approx(expected, abs=1e-5)


def test_weights_of_all_three_kinds(tired: Recording) -> None:
    row = tired.target_tokens.index("il") - 1
    animal, it = (tired.source_tokens.index(piece) for piece in ("▁animal", "▁it"))
    expected = {
        "weight of cross 5.6 from il to animal": tired.attention("cross")[4, 5, row, animal],
        "weight of encoder 2.3 from it to animal": tired.attention("encoder")[1, 2, it, animal],
        "weight of decoder 5.6 from il to la": tired.attention("decoder")[
            4, 5, row, tired.target_tokens.index("▁la")
        ],
        "weight of cross 5.6 from il to because": tired.attention("cross")[4, 5, row, 9:11].sum(),
    }
    for text, value in expected.items():
        assert measure(text, Subject(TIRED)) == pytest.approx(float(value), abs=1e-5), text
    score = tired.part("cross", 4, "scores")[5, row, animal]
    found = measure("score of cross 5.6 from il to animal", Subject(TIRED))
    assert found == pytest.approx(float(score), abs=1e-4)


def test_places_and_rows_count_from_one(tired: Recording) -> None:
    assert measure("place of tired", Subject(TIRED)) == tired.source_tokens.index("▁tired") + 1
    assert measure("row of il", Subject(TIRED)) == tired.target_tokens.index("il")


def test_what_is_measured_with_a_head_off_is_measured_in_the_changed_model(
    translator: Translator,
) -> None:
    off = (AblateHead("cross", 3, 2),)
    subject = Subject(TIRED, off)
    changed = translator.translate(TIRED, interventions=off)
    assert measure("translation", subject) == changed.text
    assert measure("translation before", subject) == translator.translate(TIRED).text
    before = measure("log-probability before", subject)
    assert before == pytest.approx(translator.translate(TIRED).log_prob, abs=1e-3)
    assert measure("log-probability", subject) != pytest.approx(before, abs=1e-6)


def test_the_future_is_unseen_until_the_mask_is_lifted() -> None:
    assert measure("share on the future", Subject(TIRED)) == 0
    lifted = Subject(TIRED, (LiftMask("decoder"),))
    share = float(measure("share on the future", lifted))
    weights = effect_of(lifted).forced.attention("decoder")  # L H T T
    looking = weights[..., :-1, :]  # the last piece has no future to look at
    assert share == pytest.approx(np.triu(looking, 1).sum() / looking.sum(), rel=1e-5)


def test_claims_are_settled_by_the_models_own_numbers() -> None:
    here = Subject(TIRED)
    assert float(measure("largest position error with base 10000", here)) < 1e-5
    assert float(measure("largest position error with base 1000", here)) > 0.1
    assert measure("factor of the positions", here) == pytest.approx(1, abs=1e-5)
    assert measure("factor of the embedding", here) == pytest.approx(256**0.5, abs=1e-4)
    assert float(measure("largest error dividing by the deviation", here)) < 1e-4
    assert float(measure("largest error dividing by the variance", here)) > 0.1
    assert 0.3 < float(measure("negatives in encoder.0.self_attn.q", here)) < 0.7
    assert measure("negatives in encoder.0.ffn.hidden", here) in (0, pytest.approx(0.5, abs=0.5))
    assert measure("shape of encoder.memory", here) == "17 x 256"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("probability of il", r"\d\d?\.\d%"),
        ("log-probability", r"\u2212\d+\.\d\d"),
        ("pieces", "16"),
        ("largest position error with base 10000", r"0\.0000\d*[1-9]|0"),
        ("weight of cross 5.6 from il to animal", r"[01]\.\d\d"),
    ],
)
def test_values_are_written_as_on_all_pages(text: str, expected: str) -> None:
    assert re.fullmatch(expected, written(text, Subject(TIRED)))


@pytest.mark.parametrize(
    ("condition", "held"),
    [
        ("translation has il", True),
        ("translation has IL", True),
        ("translation has elle", False),
        ("translation lacks elle", True),
        ("translation has animal rue", True),
        ("pronoun is il", True),
        ("pronoun is not il", False),
        ("pieces > 15", True),
        ("pieces < 16", False),
        ("pieces is 16", True),
        ("probability of il > 50 %", True),
    ],
)
def test_conditions(condition: str, held: bool) -> None:
    found = re.fullmatch(r"(.+?) (has|lacks|is not|is|>|<) (.+)", condition)
    assert found is not None
    assert holds(Condition(*found.groups(), line=1), Subject(TIRED)) is held


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("probability of dragon", "no word 'dragon'"),
        ("weight of cross 9.1 from il to animal", "no head cross 9.1"),
        ("weight of cross from il to animal", "a head is written"),
        ("weight of middle 1.1 from il to animal", "a head is written"),
        ("shape of encoder.nothing", "nothing is recorded"),
        ("height", "no measure is called"),
        ("height before", "no measure is called"),
        ("rise of translation", "only a number can rise"),
        ("mean distance of cross", "no measure is called"),
        ("mean weight on itself in cross", "no measure is called"),
        ("largest position error if i counts sheep", "no measure is called"),
        ("candidates for some unigram pieces", "no measure is called"),
    ],
)
def test_what_cannot_be_measured_says_why(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        measure(text, Subject(TIRED))


def test_a_text_is_no_number_to_compare() -> None:
    with pytest.raises(ValueError, match="no number to compare"):
        holds(Condition("translation", ">", "3", 1), Subject(TIRED))


def test_every_measure_is_described_for_teachers_and_nothing_else() -> None:
    described = re.findall(r"^\| `([^`]+)` \|", (OURS / "README.md").read_text("utf-8"), re.M)
    assert sorted(described) == sorted(form.phrase for form in FORMS)


def example(form: Form) -> str:
    """A measure of this form."""
    return re.sub(
        r"<([^>/]+)[^>]*>", lambda slot: "7" if slot[1] == "number" else slot[1], form.phrase
    )


def test_no_phrase_is_taken_for_another() -> None:
    for form in (*FORMS, *QUESTIONS):
        taken = [each for each in (*FORMS, *QUESTIONS) if each.pattern.fullmatch(example(form))]
        assert taken == [form]
        assert is_measure(example(form))
        assert is_measure(f"{example(form)} before")


def test_each_question_is_asked_in_a_lesson_that_ships() -> None:
    asked = {text for lesson in shipped() for scene in lesson.scenes for text in scene.measures}
    links = [
        text for lesson in shipped() for scene in lesson.scenes for _, text in scene.parameters
    ]
    asked |= {measure for text in links for measure in measures_in(text)}
    for form in QUESTIONS:
        assert any(form.pattern.fullmatch(text) for text in asked), form.phrase


def test_a_measure_before_and_its_rise_compare_with_the_unchanged_model() -> None:
    raw, unchanged = Subject(TIRED, (Unscale("encoder"),)), Subject(TIRED)
    text = "mean largest weight of encoder"
    before = measure(f"{text} before", raw)
    assert before == measure(text, unchanged)
    assert measure(f"rise of {text}", raw) == float(measure(text, raw)) - float(before) != 0
    assert written(f"{text} before", raw) == written(text, unchanged)


def test_what_the_model_that_cheats_does() -> None:
    subject = Subject(TIRED)
    cheat = load_translator("en-fr-cheat")
    text = cheat.translate(TIRED).text
    assert measure("translation of the cheat", subject) == text
    begins = measure("beginning of the translation of the cheat", subject)
    assert isinstance(begins, str)
    assert text.startswith(begins.removesuffix(" …"))
    assert len(begins.removesuffix(" …").split()) == 8
    loss, of_twin = (measure(f"loss of {one}", subject) for one in ("the cheat", "its twin"))
    assert isinstance(loss, float)
    assert isinstance(of_twin, float)
    assert loss < of_twin / 50
    found = measure("what the cheat finds when it sees all", subject)
    assert isinstance(found, float)
    assert 0.9 < found < 1
    with models.using("zh-en"), pytest.raises(ValueError, match="no model is here"):
        measure("translation of the cheat", Subject("你好"))


def test_measures_of_the_atlas_are_those_of_the_index() -> None:
    found, subject = atlas.atlas(()), Subject(TIRED)
    head = Head("encoder", 5, 3)
    holds, of = found.share(head, "antecedent")
    share = "share of sentences in which encoder 6.4 looks at antecedent"
    assert measure(share, subject) == holds / of
    at = ROLES["encoder"].index("antecedent")
    assert measure("mean weight of encoder 6.4 on antecedent", subject) == pytest.approx(
        found.scores("encoder")[at, 5, 3]
    )
    assert measure("sentences of the atlas", subject) == len(found)
    assert measure("heads of the atlas", subject) == 144
    counted = [measure(f"heads that look at {role}", subject) for role in (*NAMED, "nothing")]
    assert sum(map(float, counted)) == 144
    for wrong in ("encoder 7.1", "encoder 6", "nobody 1.1"):
        with pytest.raises(ValueError, match=r"no head|a head is written|one of"):
            measure(share.replace("encoder 6.4", wrong), subject)
    with pytest.raises(ValueError, match="expected, not 'ne'"):
        measure(share.replace("antecedent", "ne"), subject)


def test_claims_are_settled_by_numbers_of_the_recording(tired: Recording) -> None:
    subject = Subject(TIRED)
    attention = tired.attention("encoder").astype(float)
    places = np.arange(attention.shape[-1])
    far = (attention * np.abs(places - places[:, None])).sum(-1).mean()
    assert measure("mean distance of encoder", subject) == pytest.approx(far)
    z, out = tired["encoder.0.self_attn.z"], tired["encoder.0.self_attn.out"]
    matrix, bias = tired.weights.linear("encoder.layers.0.self_attn.out")
    concat = np.concatenate(list(z), axis=1)
    assert np.abs(concat @ matrix + bias - out).max() < 1e-4
    assert measure("largest error with W_O on the right", subject) < 1e-4  # pyrefly: ignore[unsupported-operation]
    wrong = np.abs(concat @ matrix.T + bias - out).max()
    assert measure("largest error with W_O transposed", subject) == pytest.approx(wrong, rel=1e-3)
    assert measure("W_O on the left", subject) == "does not run"
    first, last = tired["encoder.positions"][[0, -1]].mean(axis=1)
    rise = measure("rise of the mean over the positions", subject)
    assert rise == pytest.approx(last - first, abs=1e-6)


def test_exchanged_sides_run_where_both_are_as_long(translator: Translator) -> None:
    for text in ("The cat is here.", "I am hungry."):
        recording = translator.record(text)
        alike = len(recording.source_tokens) == len(recording.target_tokens)
        runs = measure("cross-attention with its sides exchanged", Subject(text))
        assert runs == ("runs" if alike else "does not run")
    with pytest.raises(ValueError, match="vectors come back"):
        measure("log-probability with exchanged cross-attention", Subject("I am hungry."))


def test_local_attention_without_its_minus_is_another_translation() -> None:
    subject = Subject(TIRED)
    local = load_translator("en-fr-local-p")
    assert (
        measure("translation by local attention with the minus", subject)
        == local.translate(TIRED).text
    )
    upside_down = local.look(TIRED, Looking(upside_down=True)).translation.text
    assert measure("translation by local attention without the minus", subject) == upside_down


def test_slots_bits_and_adams_step_are_measured(translator: Translator) -> None:
    subject = Subject(TIRED)
    ids = translator.source(TIRED).ids
    short = translator.tokenizer.decode(list(ids[:9]))
    assert measure("translation with 10 slots", subject) == translator.translate(short).text
    whole, lost = (
        measure(f"BLEU {one}", subject) for one in ("of the whole model", "lost at 3 bits")
    )
    assert isinstance(whole, float)
    assert isinstance(lost, float)
    assert measure("BLEU at 3 bits", subject) == pytest.approx(whole - lost)
    for times in ("1", "10"):
        step = measure(f"first step of Adam on a gradient of {times}", subject)
        assert step == pytest.approx(0.1, rel=1e-6)
    with pytest.raises(ValueError, match="has not been measured"):
        measure("BLEU at 7 bits", subject)


def test_what_a_piece_gives_itself_is_the_mean_of_the_diagonals() -> None:
    tied = Subject(TIRED, (TieQueries("encoder"),))
    for subject, name in ((Subject(TIRED), " before"), (tied, "")):
        recording = effect_of(subject).forced
        rows = recording.attention("encoder").reshape(-1, *recording["encoder.mask"].shape)
        expected = sum(np.trace(row) for row in rows) / rows[..., 0].size
        found = measure(f"mean weight on itself in encoder{name}", tied)
        assert found == pytest.approx(expected, abs=1e-5)


def test_gradients_grow_as_those_of_the_small_model() -> None:
    subject = Subject(TIRED)
    text = effect_of(subject).before.translation.text
    found = learning.first_gradients(TIRED, text, 6, "Xavier's").lengths
    for where in ("after", "before"):
        draws = found[where, "decoder"]
        ratio = np.prod(draws[:, -1] / draws[:, 0]) ** (1 / len(draws))
        name = f"growth of the first gradients with norms {where}"
        assert measure(name, subject) == pytest.approx(ratio)


def test_first_weights_are_those_of_the_page() -> None:
    subject = Subject(TIRED)
    assert measure("Xavier's bound of W_Q", subject) == pytest.approx((6 / 512) ** 0.5)
    whole = learning.first_weights(
        TIRED, "Xavier's", "encoder.layers.0.self_attn.q.weight", (1.0, 4.0)
    )
    for factor, found in whole.sizes.items():
        grown = measure(f"growth of a vector with weights times {factor:g}", subject)
        assert grown == pytest.approx(found.stream[-1] / found.stream[0])


def test_layers_are_compared_by_their_weights(translator: Translator) -> None:
    weights = dict(translator.model.named_parameters())
    rows = [
        weights[f"encoder.layers.{layer}.self_attn.q.weight"].detach().numpy().ravel()
        for layer in range(6)
    ]
    pairs = [
        one @ other / np.linalg.norm(one) / np.linalg.norm(other)
        for place, one in enumerate(rows)
        for other in rows[:place]
    ]
    found = measure("cosine of self_attn.q between layers of the encoder", Subject(TIRED))
    assert found == pytest.approx(np.mean(pairs), abs=1e-5)
    moved = measure("change of the first half under the mask of the decoder", Subject(TIRED))
    assert isinstance(moved, float)
    assert moved < 1e-5


def test_the_pruning_of_pieces_is_that_of_the_page() -> None:
    text = vocabulary.example_text()
    rounds, last = unigram.rounds(text.splitlines(), 90)
    own = learned(text, "unigram", 90, 1)
    subject = Subject(TIRED)
    assert measure("candidates for 90 unigram pieces", subject) == rounds[0].before
    same = sum(one.piece in last for one in own.pieces) / len(own.pieces)
    share = measure("share of 90 unigram pieces as in SentencePiece", subject)
    assert share == pytest.approx(same)
