"""The dual encoder: log-mel spectrograms and token embeddings in, unit vectors of one space out."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

MAX_PARAMETERS = 5_000_000
"""Trainable ones, at most."""
_TIME_STRIDES = (4, 2, 1)
"""Of the convolution blocks: eight frames become one step."""
_MAX_SCALE = math.log(100.0)


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """The sizes of a model.

    Attributes:
        bands: mel bands of the spectrograms.
        tokens: width of the frozen token embeddings.
        channels: of the three convolution blocks, each of which halves the bands.
        width: of the transformers.
        audio_layers: transformer layers over the steps of a clip.
        text_layers: transformer layers over the tokens of a text, which have been through those of the frozen encoder.
        heads: attention heads.
        places: queries of the attention pooling; to begin with each looks at its own part of the sequence.
        embedding: size of the shared space.
        dropout: share of units, where a transformer is entered and left.
    """

    bands: int = 64
    tokens: int = 384
    channels: tuple[int, int, int] = (32, 64, 128)
    width: int = 256
    audio_layers: int = 2
    text_layers: int = 1
    heads: int = 4
    places: int = 8
    embedding: int = 256
    dropout: float = 0.1


class Sequences(nn.Module):
    """A transformer over a sequence with sinusoidal positions, pooled by attention into one unit vector.

    The attention of the pooling prefers a place of the sequence, from 0 (its beginning) to 1, which is learned for each query: so
    that what comes when is in the vector from the first step, and not only once the transformer has learned to tell.
    """

    def __init__(self, settings: ModelSettings, inputs: int, layers: int) -> None:
        super().__init__()
        width = settings.width
        self.enter = nn.Sequential(nn.Linear(inputs, width), nn.LayerNorm(width))
        layer = nn.TransformerEncoderLayer(width, settings.heads, 2 * width, 0.0, "gelu", batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width), enable_nested_tensor=False)
        self.weigh = nn.Linear(width, settings.places)
        self.places = nn.Parameter((torch.arange(settings.places) + 0.5) / settings.places)
        self.narrowness = nn.Parameter(torch.full((settings.places,), float(settings.places)))
        self.leave = nn.Linear(settings.places * width, settings.embedding)
        self.drop = nn.Dropout(settings.dropout)

    def forward(self, steps: Tensor, padding: Tensor | None = None) -> Tensor:
        """Unit vectors, shape [n, embedding].

        Args:
            steps: shape [n, steps, inputs].
            padding: true where a sequence has ended, shape [n, steps].
        """
        entered = self.enter(steps)
        hidden = self.layers(self.drop(entered + positions(entered)), src_key_padding_mask=padding)
        where = relative_positions(steps, padding)
        scores = self.weigh(hidden) - (self.narrowness * (where[..., None] - self.places)).square()
        if padding is not None:
            scores = scores.masked_fill(padding[..., None], float("-inf"))
        pooled = torch.einsum("nsh,nsw->nhw", scores.softmax(dim=1), hidden).flatten(1)
        return functional.normalize(self.leave(self.drop(pooled)).float(), dim=-1)


class DualEncoder(nn.Module):
    """Both towers and the learned temperature."""

    def __init__(self, settings: ModelSettings | None = None) -> None:
        super().__init__()
        self.settings = settings = settings or ModelSettings()
        self.mean: Tensor
        self.deviation: Tensor
        self.register_buffer("mean", torch.zeros(()))
        self.register_buffer("deviation", torch.ones(()))
        blocks: list[nn.Module] = []
        for before, after, stride in zip((1, *settings.channels[:-1]), settings.channels, _TIME_STRIDES, strict=True):
            size = 7 if before == 1 else 3
            blocks += [nn.Conv2d(before, after, size, (stride, 2), size // 2, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
        self.convolutions = nn.Sequential(*blocks)
        bands = settings.bands
        for _ in settings.channels:
            bands = (bands + 1) // 2
        self.audio = Sequences(settings, settings.channels[-1] * bands, settings.audio_layers)
        self.text = Sequences(settings, settings.tokens, settings.text_layers)
        self.log_scale = nn.Parameter(torch.tensor(math.log(1 / 0.07)))

    def encode_audio(self, mels: Tensor) -> Tensor:
        """Unit vectors, shape [n, embedding], of spectrograms, shape [n, frames, bands]. Eight frames become one step."""
        found = self.convolutions(((mels - self.mean) / self.deviation)[:, None])
        return self.audio(found.permute(0, 2, 1, 3).flatten(2))  # type: ignore[no-any-return]

    def encode_text(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        """Unit vectors, shape [n, embedding].

        Args:
            tokens: frozen token embeddings, shape [n, tokens, width]; what follows a text's end is ignored.
            lengths: tokens of each text, shape [n], at least 1.
        """
        padding = torch.arange(tokens.shape[1], device=tokens.device)[None] >= lengths[:, None]
        return self.text(tokens, padding)  # type: ignore[no-any-return]

    def scale(self) -> Tensor:
        """What similarities are multiplied by: 1 / temperature, at most 100 (as in CLIP, arXiv 2103.00020)."""
        return self.log_scale.clamp(max=_MAX_SCALE).exp()


def positions(steps: Tensor) -> Tensor:
    """Sinusoidal positions (Vaswani et al. 2017) of the shape [steps, width] of a batch [n, steps, width]."""
    length, width = steps.shape[1], steps.shape[2]
    rates = torch.exp(torch.arange(0, width, 2, device=steps.device) * (-math.log(10000.0) / width))
    angles = torch.arange(length, device=steps.device)[:, None] * rates
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)[:, :width]


def relative_positions(steps: Tensor, padding: Tensor | None = None) -> Tensor:
    """From 0 to 1, where in its sequence each step of a batch [n, steps, width] is: shape [n, steps]."""
    numbers = torch.arange(steps.shape[1], device=steps.device)[None].expand(steps.shape[:2])
    lengths = torch.full_like(numbers[:, :1], steps.shape[1]) if padding is None else (~padding).sum(dim=1, keepdim=True)
    return (numbers + 0.5) / lengths


def parameters(model: nn.Module) -> int:
    """The number of trainable parameters."""
    return sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)
