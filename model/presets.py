"""Named starting points for training; every value can be changed."""

from __future__ import annotations

from model.config import ModelConfig, TrainConfig

PRESETS: dict[str, tuple[ModelConfig, TrainConfig]] = {
    "tiny": (
        ModelConfig(
            vocab_size=1000,
            d_model=64,
            n_heads=4,
            d_ff=256,
            n_encoder_layers=2,
            n_decoder_layers=2,
            norm="pre",
        ),
        TrainConfig(
            steps=1500, batch_tokens=2048, warmup=200, learning_rate=3e-3, validate_every=250
        ),
    ),
    "small": (
        ModelConfig(
            vocab_size=8000,
            d_model=256,
            n_heads=8,
            d_ff=1024,
            n_encoder_layers=3,
            n_decoder_layers=3,
            norm="pre",
        ),
        TrainConfig(steps=8000, batch_tokens=2560, warmup=800, schedule="wsd", learning_rate=1e-3),
    ),
    "base": (
        ModelConfig(vocab_size=16000),
        TrainConfig(steps=100_000, batch_tokens=25_000, warmup=4000, learning_rate=7e-4),
    ),
}
