import hashlib
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from builders.check.rules import check_qrels, check_rules
from builders.errors import PlanError
from builders.logic import Lacks, Relations, canonical, conjuncts, labels_of, to_text
from builders.plan import make_plan, require_sounds
from builders.recipe import PRESETS, TASK_NAMES, make_recipe
from builders.relevance import qrels
from builders.sounds.screening import with_overheard
from tests.fake_library import fake_library, records_of, smoke


def fingerprint(plan):
    text = "\n".join([repr(clip) for clip in plan.clips] + [repr(query) for query in plan.queries])
    return hashlib.sha256(text.encode()).hexdigest()


def test_a_plan_keeps_every_rule():
    plan, library = smoke()
    assert len(plan.clips) == 15 * 20
    assert len(plan.queries) == 15 * 2
    records = records_of(plan, library)
    assert list(check_rules(records)) == []
    assert list(check_qrels(records, qrels(plan, library.relations), {})) == []


def test_a_plan_of_several_sets_keeps_every_rule():
    plan, library = smoke(seed=3, queries=12)
    assert Counter(query.task for query in plan.queries) == dict.fromkeys(TASK_NAMES, 12)
    assert list(check_rules(records_of(plan, library))) == []
    assert len({canonical(query.formula) for query in plan.queries}) == len(plan.queries)
    assert len({query.text for query in plan.queries}) == len(plan.queries)


def test_related_sounds_leave_no_unclear_pair():
    confusable = defaultdict(set)
    ancestors = {}
    for n in range(0, 60, 4):  # a quarter of the sounds has a look-alike, another quarter a parent
        confusable[f"sound {n:03}"].add(f"sound {n + 1:03}")
        confusable[f"sound {n + 1:03}"].add(f"sound {n:03}")
        ancestors[f"sound {n + 2:03}"] = frozenset({f"sound {n + 3:03}"})
    relations = Relations(ancestors, {label: frozenset(others) for label, others in confusable.items()})
    library = fake_library(relations=relations)
    plan = make_plan(make_recipe(PRESETS["smoke"], {"queries_per_task": 12}), library)
    assert list(check_rules(records_of(plan, library))) == []
    # qrels() raises on an UNCLEAR pair; that some pair rests on a descendant shows that relations were asked.
    pairs = qrels(plan, relations)
    assert list(check_qrels(records_of(plan, library), pairs, {})) == []


def test_the_same_recipe_gives_the_same_plan_in_another_process():
    plan, _ = smoke()
    code = "from tests.fake_library import smoke; from tests.test_plan import fingerprint; print(fingerprint(smoke()[0]))"
    for seed in ("1", "77"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1], env={"PYTHONHASHSEED": seed, "PATH": ""},
        )  # fmt: skip
        assert done.stdout.strip() == fingerprint(plan)


def test_another_seed_gives_another_plan():
    one, other = smoke()[0], make_plan(make_recipe(PRESETS["smoke"], {"seed": 1}), smoke()[1])
    assert not {clip.id for clip in one.clips} & {clip.id for clip in other.clips}
    assert not {query.text for query in one.queries} & {query.text for query in other.queries}


def test_ids_tell_nothing_of_arrangement_or_truth():
    """In order of ids, each arrangement of a form comes as early as the others (three standard errors)."""
    plan, _ = smoke(seed=3, queries=12)
    for task in TASK_NAMES:
        rank = {clip.id: n for n, clip in enumerate(sorted(plan.clips_of(task), key=lambda clip: clip.id))}
        places = defaultdict(list)
        for query in plan.queries_of(task):
            for clip_id in query.relevant:
                places[query.form].append(rank[clip_id] / len(rank))
        for found in places.values():
            assert abs(sum(found) / len(found) - 0.5) < 3 * (1 / 12 / len(found)) ** 0.5 + 0.02
    assert [clip.id for clip in plan.clips_of("mix")] == sorted(clip.id for clip in plan.clips_of("mix"))


def test_truth_and_what_is_named_first_are_independent():
    """Of the Order queries, as many name the earlier sound first as the later, to one."""
    plan, library = smoke(seed=3, queries=12)
    for form in ("order-1", "order-2"):
        named_first = Counter()
        for query in plan.queries:
            if query.form == form:
                parts = getattr(query.formula, "operands", (query.formula,))
                earliest, latest = library.sound(parts[0].a), library.sound(parts[-1].b)
                first, last = (
                    min(query.text.lower().find(said) for said in (sound.noun, sound.clause) if said in query.text.lower())
                    for sound in (earliest, latest)
                )
                named_first[first < last] += 1
        assert abs(named_first[True] - named_first[False]) <= 1


@pytest.mark.parametrize(
    ("library", "said"),
    [
        (fake_library(6), ["task negation (negation-2) lacks 1 of 7", "task mix"]),
        (
            fake_library(20, sustained_share=0.0),
            ["task duration (duration-1, duration-2, duration-3, duration-4)", "lacks 4 of 4", "sustained"],
        ),
    ],
)
def test_too_few_sounds_say_which_task_lacks_how_many_of_what(library, said):
    with pytest.raises(PlanError) as caught:
        require_sounds(PRESETS["smoke"], library)
    assert all(part in str(caught.value) for part in said)


def test_related_sounds_count_once():
    labels = [f"sound {n:03}" for n in range(20)]
    relations = Relations(confusable={label: frozenset(labels) - {label} for label in labels})
    with pytest.raises(PlanError, match="the library has 1;"):
        make_plan(PRESETS["smoke"], fake_library(20, relations=relations))


def test_too_many_queries_for_the_sounds():
    with pytest.raises(PlanError, match=r"(fewer queries|queries_per_task)") as caught:
        make_plan(make_recipe(PRESETS["full"], {"plan": {"set_attempts": 4}}), fake_library(12, recordings=1))
    assert "task " in str(caught.value)


def test_a_library_that_is_soon_used_up_is_told_so_in_one_line():
    """Whatever the last draw gave, or did not give."""
    for seed in range(4):
        with pytest.raises(PlanError, match="add sounds") as caught:
            make_plan(make_recipe(PRESETS["full"], {"seed": seed, "plan": {"set_attempts": 3}}), fake_library(14, recordings=1))
        assert "\n" not in str(caught.value)


def test_dense_corpora_are_refused_unless_allowed():
    change = {"plan": {"max_mean_relevant": 4.0}}
    library = smoke()[1]
    with pytest.raises(PlanError, match=r"task negation: \d.*--allow-dense"):
        make_plan(make_recipe(PRESETS["smoke"], change), library)
    change["plan"]["allow_dense"] = True
    assert make_plan(make_recipe(PRESETS["smoke"], change), library).queries


def test_a_library_at_another_rate_is_refused():
    with pytest.raises(PlanError, match="sample_rate"):
        make_plan(make_recipe(PRESETS["smoke"], {"sample_rate": 16_000}), smoke()[1])


def test_queries_read_as_formulas_and_sentences():
    plan, _ = smoke()
    for query in plan.queries:
        assert query.text[0].isupper()
        assert query.text.endswith(".")
        assert "{" not in query.text
        assert to_text(query.formula)


def test_a_recording_never_stands_in_a_set_that_names_what_is_overheard_in_it():
    relations = Relations({"sound 001": frozenset({"sound 000"})})
    library = fake_library(relations=relations)
    rng = np.random.default_rng(0)
    # Two of three recordings of every sound have two others in the background, so that whole sounds are clashes too.
    heard = {
        recording.id: frozenset(map(str, rng.choice(library.labels, 6)))
        for recording in library.recordings
        if not recording.id.endswith("/0") or rng.uniform() < 0.3
    }

    def clashes(plan, library):
        near = library.relations.neighbours(library.labels)
        named = defaultdict(set)
        for query in plan.queries:
            for label in labels_of(query.formula):
                named[query.task, query.set] |= near[label]
        return sum(
            bool(named[clip.task, clip.set] & (heard.get(event.recording, frozenset()) - near[event.label]))
            for clip in plan.clips
            for event in clip.timeline
        )

    recipe = make_recipe(PRESETS["smoke"], {"queries_per_task": 12})
    careless = make_plan(recipe, library)
    assert clashes(careless, library) > 100  # it would happen all the time
    listened = with_overheard(library, heard)
    careful = make_plan(recipe, listened)
    assert clashes(careful, library) == 0
    assert list(check_rules(records_of(careful, listened))) == []


def test_a_query_without_a_sound_is_not_answered_by_a_recording_in_which_it_is_overheard():
    library = fake_library()
    recipe = make_recipe(PRESETS["smoke"], {"queries_per_task": 12})
    others = library.labels
    heard = {
        recording.id: frozenset(others[(n * 7 + 11 * k) % len(others)] for k in range(6))
        for n, recording in enumerate(library.recordings)
        if n % 3
    }

    def belied(plan, library):
        clips, queries = {clip.id: clip for clip in plan.clips}, {query.id: query for query in plan.queries}
        for query_id, clip_id in qrels(plan, library.relations):
            absent = {part.a for part in conjuncts(queries[query_id].formula) if isinstance(part, Lacks)}
            if any(absent & heard.get(event.recording, frozenset()) for event in clips[clip_id].timeline):
                yield query_id, clip_id

    assert list(belied(make_plan(recipe, library), library))  # nobody listened
    listened = with_overheard(library, heard)
    assert not list(belied(make_plan(recipe, listened), listened))


def test_no_uploader_crowds_out_the_others():
    library = fake_library(recordings=8)
    crowded = replace(
        library, recordings=tuple(replace(r, uploader="one" if r.id[-1] in "01" else "many") for r in library.recordings)
    )
    used = Counter(
        event.recording[-1] in "01"
        for clip in make_plan(make_recipe(PRESETS["smoke"], {"queries_per_task": 12}), crowded).clips
        for event in clip.timeline
    )
    assert 0.42 < used[True] / used.total() < 0.58  # two of eight recordings, but half of the people


def test_a_corpus_uses_all_sounds_even_those_with_many_relatives():
    """Each single sound is easily taken for those beside it: a query for both neighbours of one would ban it from the corpus."""
    singles = [f"sound {n:03}" for n in range(60)]
    confusable = {label: frozenset({singles[n - 1], singles[(n + 1) % 60]}) for n, label in enumerate(singles)}
    library = fake_library(120, relations=Relations({}, confusable))
    plan = make_plan(make_recipe(PRESETS["mini"], {"queries_per_task": 40}), library)
    sets = Counter(label for _, label in {((c.task, c.set), e.label) for c in plan.clips for e in c.timeline})
    assert set(sets) == set(library.labels)
    counts = sorted(sets[label] for label in library.labels)
    assert counts[len(counts) // 10] >= counts[len(counts) // 2] / 2
    assert counts[0] >= counts[len(counts) // 2] / 5
