"""The contrastive loss."""

from __future__ import annotations

import torch
from torch import Tensor


def contrastive(similarities: Tensor, positive: Tensor) -> Tensor:
    """InfoNCE (van den Oord et al. 2018) for several positives of one text, both ways round, as a scalar.

    Each positive pair competes with the negatives of its text (clip) alone: other positives are left out of the denominator.
    A text (clip) counts once, as the mean over its positives; one without positives or without negatives does not count.

    Args:
        similarities: scaled by 1 / temperature, shape [texts, clips].
        positive: which belong together, shape [texts, clips].
    """
    return (_one_way(similarities, positive) + _one_way(similarities.T, positive.T)) / 2


def _one_way(similarities: Tensor, positive: Tensor) -> Tensor:
    rows = positive.any(dim=1) & ~positive.all(dim=1)
    # Rows that do not count keep their numbers: the gradient of a logsumexp over nothing would be NaN.
    negatives = similarities.masked_fill(positive & rows[:, None], float("-inf")).logsumexp(dim=1, keepdim=True)
    losses = torch.nn.functional.softplus(negatives - similarities)  # -log(e^s / (e^s + sum of negatives))
    means = losses.masked_fill(~positive, 0).sum(dim=1) / positive.sum(dim=1).clamp(min=1)
    return means[rows].sum() / rows.sum().clamp(min=1)
