"""A run in the form of the explorer."""

from model.results import Run
from viz.components.attention_explorer.recording import ExplorerRecording, Start
from viz.compute import examples, runs
from viz.compute.taken import value_lengths


def explored(run: Run, text: str, start: Start) -> ExplorerRecording:
    """Return the weights of a run, with captions for `text`, to be opened at `start`."""
    recording = run.recording
    return ExplorerRecording(
        source_tokens=tuple(recording.source_tokens),
        target_tokens=tuple(recording.target_tokens),
        # The written piece, not this pass's most probable piece: under changes, as with a decoder
        # that cheats, the two differ.
        predicted_tokens=(*recording.target_tokens[1:], runs.predicted_tokens(recording)[-1]),
        encoder=runs.attention(recording, "encoder"),
        decoder=runs.attention(recording, "decoder"),
        cross=runs.attention(recording, "cross"),
        special_tokens=runs.special_tokens(),
        sentence=text,
        translation=run.translation.text,
        checkpoint=runs.checkpoint_name(),
        languages=examples.languages(),
        start=start,
        lengths=value_lengths(recording),
    )
