"""How a system ranks clips for queries: a matrix of scores with its ids, and the file it is kept in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from builders.errors import EvaluationError
from builders.files import write_whole

COLUMNS = ("query-id", "corpus-id", "score")
"""Of a parquet file of rankings, as in the qrels of a dataset folder."""
METADATA = "reasonaudio."
"""What the names of a parquet file's own metadata begin with."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What made rankings, and of what. A field is "" where it is not known.

    Attributes:
        task: "negation", "order", ...; of probes in text "text/order"; "" also for rankings of several tasks.
        scope: "task", "all" or "set": which clips were searched.
        model: as mteb names it, "org/name".
        revision: of the model.
        dataset: the dataset's content hash.
        style: of the texts that were searched in the clips' place, one of `builders.styles.STYLES`; "" where clips were.
    """

    task: str = ""
    scope: str = ""
    model: str = ""
    revision: str = ""
    dataset: str = ""
    style: str = ""


@dataclass(frozen=True, eq=False)
class Rankings:
    """Scores of every clip for every query.

    A clip ranks before another with a lower score; of clips with equal scores that with the higher id ranks first, as in
    trec_eval and mteb.

    Attributes:
        queries: query ids.
        clips: clip ids.
        scores: shape [queries, clips], finite; -inf where a clip was not ranked for a query.
        origin: what made them.
    """

    queries: tuple[str, ...]
    clips: tuple[str, ...]
    scores: NDArray[np.float32]
    origin: Origin = Origin()

    def order(self) -> NDArray[np.intp]:
        """Indices into `clips`, best first, for every query: shape [queries, clips]."""
        by_id = np.argsort(np.asarray(self.clips))[::-1]
        best = np.argsort(-self.scores[:, by_id], axis=1, kind="stable")
        return np.asarray(by_id[best], dtype=np.intp)

    def top(self, number: int) -> dict[str, dict[str, float]]:
        """Query id -> clip id -> score of the `number` best clips, as mteb wants it."""
        found = {}
        for query, scores, order in zip(self.queries, self.scores, self.order()[:, :number], strict=True):
            found[query] = {self.clips[clip]: float(scores[clip]) for clip in order if np.isfinite(scores[clip])}
        return found

    def require_finite(self) -> None:
        """Raises EvaluationError where a score is NaN or +inf, which no order is defined for."""
        bad = np.isnan(self.scores) | np.isposinf(self.scores)
        if bad.any():
            query, clip = (int(index[0]) for index in np.nonzero(bad))
            raise EvaluationError(
                f"{self.origin.model or 'rankings'}: {int(bad.sum())} of {bad.size} scores are NaN or infinite, first for query "
                f"{self.queries[query]} and clip {self.clips[clip]}; a model that gives such scores cannot be ranked"
            )

    def write(self, path: Path | str) -> None:
        """Writes all ranked pairs as parquet, whole or not at all: rows by query id, then best first.

        Columns `COLUMNS`, the ids dictionary encoded, the score float32; `origin` in the schema's metadata. Equal rankings give
        equal bytes, whatever the order of their rows and columns.

        Raises:
            EvaluationError: a score is NaN or +inf.
            OSError: it cannot be written.
        """
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.require_finite()
        rows, columns = np.argsort(np.asarray(self.queries)), np.argsort(np.asarray(self.clips))
        queries, clips = np.asarray(self.queries)[rows], np.asarray(self.clips)[columns]
        scores = self.scores[np.ix_(rows, columns)]
        order = len(clips) - 1 - np.argsort(-scores[:, ::-1], axis=1, kind="stable")  # ids are sorted: the last wins a tie
        ranked = np.take_along_axis(scores, order, axis=1)
        kept = np.isfinite(ranked)
        of_query = np.broadcast_to(np.arange(len(queries))[:, None], order.shape)[kept]
        table = pa.table(
            {
                "query-id": pa.DictionaryArray.from_arrays(of_query.astype(np.int32), pa.array(queries.tolist(), pa.string())),
                "corpus-id": pa.DictionaryArray.from_arrays(order[kept].astype(np.int32), pa.array(clips.tolist(), pa.string())),
                "score": pa.array(ranked[kept], pa.float32()),
            }
        ).replace_schema_metadata({METADATA + name: value for name, value in asdict(self.origin).items()})
        written = BytesIO()
        pq.write_table(
            table,
            written,
            compression="zstd",
            use_dictionary=list(COLUMNS[:2]),
            column_encoding={"score": "BYTE_STREAM_SPLIT"},  # sorted scores share their first bytes
            row_group_size=1_000_000,
        )
        write_whole(Path(path), written.getvalue())

    @classmethod
    def read(
        cls,
        path: Path | str,
        queries: Sequence[str] | None = None,
        clips: Sequence[str] | None = None,
        allow_missing: bool = False,
    ) -> Rankings:
        """Rankings from a file: parquet as `write` makes it, mteb's `<Task>_predictions.json`, plain JSON
        `{query: {clip: score}}`, or a TREC run (query Q0 clip rank score tag; the rank is not looked at).

        Args:
            path: the file; its kind is told by its content.
            queries: the queries that it must have; any if not given. The result has them in this order.
            clips: all clips that it may rank; if not given, those that it ranks.
            allow_missing: leave out `queries` that the file does not have instead of refusing it.

        Raises:
            EvaluationError: it cannot be read, an id is unknown or missing, a score is no finite number, or a pair stands twice.
        """
        from eval_harness.ranking_files import read

        return read(Path(path), queries, clips, allow_missing)

    @classmethod
    def of(
        cls,
        predictions: Mapping[str, Mapping[str, float]],
        queries: Sequence[str] | None = None,
        clips: Sequence[str] | None = None,
        allow_missing: bool = False,
    ) -> Rankings:
        """The same of {query id: {clip id: score}} in memory."""
        from eval_harness.ranking_files import of

        return of(predictions, queries, clips, allow_missing)
