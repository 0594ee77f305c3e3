"""Files of rankings, read: parquet, mteb's predictions, plain JSON, TREC runs. One line says what is wrong with one."""

from __future__ import annotations

import codecs
import difflib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from builders.errors import EvaluationError
from eval_harness.rankings import COLUMNS, METADATA, Origin, Rankings

_KINDS = (
    "a file of rankings is parquet with columns query-id, corpus-id, score, or JSON {query: {clip: score}}, "
    "or mteb's predictions, or a TREC run of 6 columns (CSV is not read)"
)
_MTEB_META = "mteb_model_meta"


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Scored pairs as a file holds them.

    Attributes:
        queries, clips: the different ids.
        query, clip: for every pair, the number of its id among them; shape [pairs].
        scores: shape [pairs].
        place: number of a pair -> where in the file it stands.
    """

    queries: list[str]
    query: NDArray[np.int64]
    clips: list[str]
    clip: NDArray[np.int64]
    scores: NDArray[np.float64]
    place: Callable[[int], str]
    origin: Origin


def read(path: Path, queries: Sequence[str] | None, clips: Sequence[str] | None, allow_missing: bool) -> Rankings:
    """As `Rankings.read`."""
    if path.is_dir():
        raise EvaluationError(f"{path} is a folder; give a file of rankings")
    try:
        with path.open("rb") as file:
            start = file.read(4096)
    except FileNotFoundError:
        raise EvaluationError(f"{path} does not exist; give a file of rankings") from None
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read ({error.strerror})") from None
    if not start.strip():
        raise EvaluationError(f"{path} is empty; {_KINDS}")
    if start.startswith(b"PAR1"):
        found = _parquet(path)
    elif start.removeprefix(codecs.BOM_UTF8).lstrip().startswith((b"{", b"[")):
        found = _json(path)
    else:
        found = _trec(path)
    return _rankings(str(path), found, queries, clips, allow_missing)


def of(
    predictions: Mapping[str, Any], queries: Sequence[str] | None, clips: Sequence[str] | None, allow_missing: bool
) -> Rankings:
    """As `Rankings.of`."""
    return _rankings("predictions", _nested_dicts("predictions", predictions), queries, clips, allow_missing)


def _rankings(
    path: str, pairs: _Pairs, queries: Sequence[str] | None, clips: Sequence[str] | None, allow_missing: bool
) -> Rankings:
    if not len(pairs.scores):
        raise EvaluationError(f"{path} ranks no clip for any query; {_KINDS}")
    if queries is not None:
        _refuse_unknown(path, "query", pairs.queries, pairs.query, queries, pairs.place)
    if clips is not None:
        _refuse_unknown(path, "clip", pairs.clips, pairs.clip, clips, pairs.place)
    with np.errstate(over="ignore"):
        scores = pairs.scores.astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(scores))
    if len(bad):
        first = int(bad[0])
        raise EvaluationError(
            f"{path}: {pairs.place(first)}: the score {pairs.scores[first]} is no finite float32 number ({len(bad)} are not); "
            "leave out clips that a model does not rank, and look for what gives such scores"
        )
    have = set(pairs.queries)
    rows = sorted(have) if queries is None else [query for query in queries if query in have]
    columns = sorted(pairs.clips) if clips is None else list(clips)
    flat = _positions(pairs.queries, rows)[pairs.query] * len(columns) + _positions(pairs.clips, columns)[pairs.clip]
    _refuse_twice(path, pairs, flat, len(rows) * len(columns))
    if queries is not None and len(rows) < len(queries) and not allow_missing:
        missing = [query for query in queries if query not in have]
        raise EvaluationError(
            f"{path} has no ranking for {len(missing)} of {len(queries)} queries, the first {missing[0]}; rank clips for all of "
            "them, or allow them to be missing, and they count 0"
        )
    matrix = np.full(len(rows) * len(columns), -np.inf, np.float32)
    matrix[flat] = scores
    return Rankings(tuple(rows), tuple(columns), matrix.reshape(len(rows), len(columns)), pairs.origin)


def _positions(ids: Sequence[str], among: Sequence[str]) -> NDArray[np.int64]:
    place = {name: number for number, name in enumerate(among)}
    return np.array([place[name] for name in ids], dtype=np.int64)


def _refuse_unknown(
    path: str, kind: str, ids: Sequence[str], of_pair: NDArray[np.int64], known: Iterable[str], place: Callable[[int], str]
) -> None:
    known = list(known)
    unknown = set(ids) - set(known)
    if not unknown:
        return
    pair = int(np.flatnonzero(np.isin(of_pair, [number for number, name in enumerate(ids) if name in unknown]))[0])
    first = ids[of_pair[pair]]
    close = difflib.get_close_matches(first, known, n=2, cutoff=0.7)
    hint = f"did you mean {' or '.join(close)}?" if close else "are these rankings of another dataset, or of another task?"
    raise EvaluationError(
        f"{path}: {place(pair)}: unknown {kind} {first!r} ({len(unknown)} of its {len(ids)} {kind} ids are unknown); {hint}"
    )


def _refuse_twice(path: str, pairs: _Pairs, flat: NDArray[np.int64], size: int) -> None:
    seen = np.zeros(size, bool)
    seen[flat] = True
    twice = len(flat) - int(seen.sum())
    if twice:
        _, first = np.unique(flat, return_index=True)
        second = int(np.setdiff1d(np.arange(len(flat)), first)[0])
        query, clip = pairs.queries[pairs.query[second]], pairs.clips[pairs.clip[second]]
        raise EvaluationError(
            f"{path}: {pairs.place(second)}: query {query} and clip {clip} stand there a second time ({twice} such rows); "
            "give one score for each pair"
        )


# --- parquet ----------------------------------------------------------------------------------------------------------


def _parquet(path: Path) -> _Pairs:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        have = pq.read_schema(path).names
        if missing := [name for name in COLUMNS if name not in have]:
            raise EvaluationError(f"{path}: no column {', '.join(missing)}; it has {', '.join(have)}; {_KINDS}")
        with pq.ParquetFile(path, read_dictionary=list(COLUMNS[:2])) as file:
            table = file.read(columns=list(COLUMNS))
    except (pa.ArrowException, OSError) as error:
        raise EvaluationError(f"{path} is damaged ({str(error).partition(chr(10))[0]}); write it again") from None
    for name in COLUMNS:
        if table[name].null_count:
            row = int(np.flatnonzero(np.asarray(table[name].is_null()))[0])
            raise EvaluationError(f"{path}: row {row}: {name} is empty; leave out pairs that have no score")
    origin = origin_of(table.schema.metadata or {})
    try:
        scores = np.asarray(table["score"].cast(pa.float64()))
        query, clip = (table[name].cast(pa.dictionary(pa.int32(), pa.string())).unify_dictionaries() for name in COLUMNS[:2])
    except pa.ArrowException:
        types = ", ".join(f"{field.name} {field.type}" for field in table.schema)
        raise EvaluationError(f"{path}: ids must be texts and the score a number, but it has {types}; {_KINDS}") from None
    return _Pairs(*_ids(query), *_ids(clip), scores, _row, origin)


def _ids(column: Any) -> tuple[list[str], NDArray[np.int64]]:
    """A chunked dictionary column as its values, and the index of each row's."""
    chunks = column.chunks
    if not chunks:
        return [], np.zeros(0, np.int64)
    return chunks[0].dictionary.to_pylist(), np.concatenate([np.asarray(chunk.indices) for chunk in chunks]).astype(np.int64)


def origin_of(metadata: Mapping[bytes, bytes]) -> Origin:
    """What made rankings, by the metadata of their parquet file's schema."""
    given = {key.decode(errors="replace"): value.decode(errors="replace") for key, value in metadata.items()}
    return Origin(**{field.name: given.get(METADATA + field.name, "") for field in fields(Origin)})


def _row(pair: int) -> str:
    return f"row {pair}"


# --- JSON -------------------------------------------------------------------------------------------------------------


def _json(path: Path) -> _Pairs:
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"), object_pairs_hook=_without_doubles)
    except json.JSONDecodeError as error:
        raise EvaluationError(f"{path}: line {error.lineno}: not JSON ({error.msg}); {_KINDS}") from None
    except UnicodeDecodeError:
        raise EvaluationError(f"{path} is not UTF-8 text; {_KINDS}") from None
    except _TwiceError as error:
        raise EvaluationError(
            f"{path}: the name {error.args[0]!r} stands twice in one object; give one score for each pair"
        ) from None
    if not isinstance(content, dict):
        raise EvaluationError(f"{path}: a JSON list, where an object is needed; {_KINDS}")
    return _nested_dicts(str(path), content)


def _nested_dicts(where: str, content: Mapping[str, Any]) -> _Pairs:
    """{query: {clip: score}}, or the same inside the levels that mteb puts around it."""
    meta = content.get(_MTEB_META)
    meta = meta if isinstance(meta, Mapping) else {}
    content = {name: value for name, value in content.items() if name != _MTEB_META}
    subsets = [name for name, value in content.items() if _nested(value)]
    origin = Origin(
        task=subsets[0] if len(subsets) == 1 else "",
        model=str(meta.get("model_name") or ""),
        revision=str(meta.get("revision") or ""),
    )
    queries: list[str] = []
    clips: dict[str, int] = {}
    of_clip: list[int] = []
    counts: list[int] = []
    scores: list[float] = []
    for query, found in _by_query(where, content):
        for clip, score in found.items():
            if isinstance(score, bool) or not isinstance(score, Real):
                what = repr(score) if isinstance(score, str | bool) else type(score).__name__
                raise EvaluationError(f"{where}: query {query}: the score of clip {clip} is {what}, not a number; {_KINDS}")
        queries.append(query)
        counts.append(len(found))
        of_clip += [clips.setdefault(clip, len(clips)) for clip in found]
        scores += map(float, found.values())
    if len(set(queries)) < len(queries):
        double = next(query for n, query in enumerate(queries) if query in queries[:n])
        raise EvaluationError(f"{where}: query {double} stands in two subsets or splits; give a file for each")
    query_of_pair = np.repeat(np.arange(len(queries)), counts)
    return _Pairs(
        queries,
        query_of_pair,
        list(clips),
        np.array(of_clip, dtype=np.int64),
        np.array(scores, dtype=np.float64),
        lambda pair: f"query {queries[query_of_pair[pair]]}",
        origin,
    )


class _TwiceError(ValueError):
    pass


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for n, name in enumerate(names) if name in names[:n]))
    return found


def _nested(value: Any) -> bool:
    """Whether it is a level above query -> clip -> score: subset -> split -> ..., as mteb writes it."""
    return isinstance(value, Mapping) and any(
        isinstance(one, Mapping) and any(isinstance(deeper, Mapping) for deeper in one.values()) for one in value.values()
    )


def _by_query(where: str, content: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, value in content.items():
        if not isinstance(value, Mapping):
            raise EvaluationError(
                f"{where}: {name!r} is {type(value).__name__}, where clips with their scores are needed; {_KINDS}"
            )
        if _nested(value):
            for split in value.values():
                yield from _by_query(where, split)
        else:
            yield name, value


# --- TREC -------------------------------------------------------------------------------------------------------------


def _trec(path: Path) -> _Pairs:
    queries: dict[str, int] = {}
    clips: dict[str, int] = {}
    of_query, of_clip, scores, lines = [], [], [], []
    tag = ""
    try:
        with path.open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):
                parts = line.split()
                if not parts:
                    continue
                if len(parts) != 6:
                    raise EvaluationError(f"{path}: line {number}: {len(parts)} columns; {_KINDS}")
                query, _, clip, _, score, tag = parts
                try:
                    scores.append(float(score))
                except ValueError:
                    raise EvaluationError(f"{path}: line {number}: the score {score!r} is not a number; {_KINDS}") from None
                of_query.append(queries.setdefault(query, len(queries)))
                of_clip.append(clips.setdefault(clip, len(clips)))
                lines.append(number)
    except UnicodeDecodeError:
        raise EvaluationError(f"{path} is not UTF-8 text; {_KINDS}") from None
    return _Pairs(
        list(queries),
        np.array(of_query, dtype=np.int64),
        list(clips),
        np.array(of_clip, dtype=np.int64),
        np.array(scores),
        lambda pair: f"line {lines[pair]}",
        Origin(model=tag),
    )
