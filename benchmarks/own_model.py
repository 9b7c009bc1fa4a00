"""Somebody else's model, here and in transformers: `python -m benchmarks.own_model`.

A folder with the sizes of opus-mt (74 M parameters, 65,001 pieces) and random weights. Times are
medians of several rounds that take turns; transformers is needed for the comparison. Then a folder
with the sizes of opus-mt-tc-big (235 M) is loaded in a process of its own, for its memory.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from benchmarks import medians, table
from model.translator import load_translator
from tests.fixtures.marian_folder import SENTENCES, TRANSLATIONS, write_marian

SIZES: dict[str, int | bool | str] = {
    "d_model": 512,
    "encoder_layers": 6,
    "decoder_layers": 6,
    "encoder_ffn_dim": 2048,
    "decoder_ffn_dim": 2048,
    "encoder_attention_heads": 8,
    "decoder_attention_heads": 8,
}
PIECES = 65_001
ROUNDS = 7

BIG = {
    **SIZES,
    "d_model": 1024,
    "encoder_ffn_dim": 4096,
    "decoder_ffn_dim": 4096,
    "encoder_attention_heads": 16,
    "decoder_attention_heads": 16,
}
BIG_PIECES = 57_001
LOAD = """
import pathlib, re, sys, time
from model.translator import load_translator
status = pathlib.Path("/proc/self/status")  # Linux only
def most(): return int(re.search(r"VmHWM:\\s+(\\d+) kB", status.read_text())[1]) / 1024
before, started = most(), time.monotonic()
translator = load_translator(sys.argv[1])
seconds = time.monotonic() - started
translator.record("The old bridge.", "Le vieux pont.")
weights = sum(p.numel() * p.element_size() for p in translator.model.parameters())
print(weights / 4e6, seconds, before, most(), weights / 2**20)
"""
"""Load a folder and record a sentence; print millions of weights, seconds, and memory in MiB."""


def main() -> None:
    """Print the table."""
    from transformers import MarianMTModel, MarianTokenizer

    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as place:
        folder = write_marian(Path(place) / "opus-mt", SIZES, PIECES)

        def theirs_loaded() -> tuple[torch.nn.Module, object]:
            tokenizer = MarianTokenizer.from_pretrained(folder)
            return MarianMTModel.from_pretrained(folder, dtype=torch.float32).eval(), tokenizer

        load = medians(ROUNDS, lambda: load_translator(folder), theirs_loaded)
        ours, (theirs, _tokenizer) = load_translator(folder), theirs_loaded()
        first = ours.record(SENTENCES[0], TRANSLATIONS[0])
        source, target = torch.tensor([first.source_ids]), torch.tensor([first.target_ids])

        def recorded() -> None:
            ours.record(SENTENCES[0], TRANSLATIONS[0])

        @torch.inference_mode()
        def plain() -> None:
            theirs(input_ids=source, decoder_input_ids=target, use_cache=False)

        passes = medians(ROUNDS, recorded, plain)
    parameters = sum(parameter.numel() for parameter in ours.model.parameters())
    sides = f"{source.size(1)} + {target.size(1)} pieces"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    rows = [
        ["loading", *(f"{value:.0f} ms" for value in load), f"{load[0] / load[1]:.2f} x"],
        [
            f"a pass over {sides}: recorded / plain",
            *(f"{value:.0f} ms" for value in passes),
            f"{passes[0] / passes[1]:.2f} x",
        ],
    ]
    title = f"{parameters / 1e6:.0f} M parameters, {PIECES:,} pieces; one thread"
    table(title, ["", "here", "transformers", "here / transformers"], rows)
    print(f"Most memory at any time, both together: {peak:,.0f} MiB")
    big()


def big() -> None:
    """Load a big model in a process of its own, and print the most memory that it had."""
    with tempfile.TemporaryDirectory() as place:
        folder = write_marian(Path(place) / "big", BIG, BIG_PIECES)
        command = [sys.executable, "-c", LOAD, str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    said = done.stdout
    millions, seconds, before, most, weights = map(float, said.split())
    columns = ["", "loading", "before", "most", "its weights"]
    sizes = (f"{mebibytes:,.0f} MiB" for mebibytes in (before, most, weights))
    table("A big model, alone", columns, [[f"{millions:.0f} M", f"{seconds:.1f} s", *sizes]])


if __name__ == "__main__":
    main()
