"""A model made elsewhere, in this app and in transformers: `python -m benchmarks.own_model`.

The first folder has the sizes of opus-mt (77 M parameters, 65,001 pieces) and random weights. Times
are medians of several alternating rounds; the comparison needs transformers. The second has the
sizes of en-fr, where calls take more time than arithmetic. Then a folder with the sizes of
opus-mt-tc-big (235 M) is loaded in a separate process, to measure its memory.
"""

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from benchmarks import medians, table
from model.decoding.beam import Beam
from model.decoding.greedy import Greedy
from model.decoding.steps import Limits, Strategy
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

SMALL = {**SIZES, "d_model": 256, "encoder_ffn_dim": 1024, "decoder_ffn_dim": 1024}
SMALL_PIECES = 8000
TOKENS = 20
COLUMNS = ["", "here", "transformers", "here / transformers"]

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
    """Print the tables."""
    torch.set_num_threads(1)
    for sizes, pieces in ((SIZES, PIECES), (SMALL, SMALL_PIECES)):
        with tempfile.TemporaryDirectory() as folder:
            compare(write_marian(Path(folder) / "opus-mt", sizes, pieces), pieces)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"Most memory at any time, all together: {peak:,.0f} MiB")
    big()


def compare(folder: Path, pieces: int) -> None:
    """Time loading, a pass, and decoding with the same weights, here and in transformers."""
    from transformers import MarianMTModel, MarianTokenizer

    def theirs_loaded() -> tuple[MarianMTModel, object]:
        tokenizer = MarianTokenizer.from_pretrained(folder)
        return MarianMTModel.from_pretrained(folder, dtype=torch.float32).eval(), tokenizer

    load = medians(ROUNDS, lambda: load_translator(folder), theirs_loaded)
    ours, (theirs, _tokenizer) = load_translator(folder), theirs_loaded()
    first, cut = ours.record(SENTENCES[0], TRANSLATIONS[0]), ours.source(SENTENCES[0])
    source, target = torch.tensor([first.source_ids]), torch.tensor([first.target_ids])

    def recorded() -> None:
        ours.record(SENTENCES[0], TRANSLATIONS[0])

    @torch.inference_mode()
    def unrecorded() -> None:
        ours.network(source, target)

    @torch.inference_mode()
    def plain() -> None:
        theirs(input_ids=source, decoder_input_ids=target, use_cache=False)

    @torch.inference_mode()
    def write(strategy: Strategy) -> None:
        limits = Limits(ours.config.begin_id, -1, TOKENS + 1)
        assert len(list(strategy.steps(ours.scorer(cut), limits))) == TOKENS

    @torch.inference_mode()
    def generate(beams: int) -> None:
        exactly = {"min_new_tokens": TOKENS, "max_new_tokens": TOKENS}
        theirs.generate(source, num_beams=beams, do_sample=False, **exactly)  # pyrefly: ignore[bad-argument-type]

    passes = medians(2 * ROUNDS, unrecorded, plain, recorded)
    greedy = medians(ROUNDS, lambda: write(Greedy()), lambda: generate(1))
    beam = medians(ROUNDS, lambda: write(Beam(4)), lambda: generate(4))
    sides = f"{source.size(1)} + {target.size(1)} pieces"
    named = {
        "loading": load,
        f"a pass over {sides}": passes[:2],
        "the same, recorded": [passes[2], passes[1]],
        f"greedy, {TOKENS} pieces": greedy,
        f"beam 4, {TOKENS} pieces": beam,
    }
    rows = [
        [name, f"{ours_work:.0f} ms", f"{theirs_work:.0f} ms", f"{ours_work / theirs_work:.2f} x"]
        for name, (ours_work, theirs_work) in named.items()
    ]
    parameters = sum(parameter.numel() for parameter in ours.model.parameters())
    table(f"{parameters / 1e6:.0f} M parameters, {pieces:,} pieces; one thread", COLUMNS, rows)
    print(f"Recorded / unrecorded: {passes[2] / passes[0]:.2f} x")


def big() -> None:
    """Load a big model in a separate process, and print its peak memory."""
    with tempfile.TemporaryDirectory() as where:
        folder = write_marian(Path(where) / "big", BIG, BIG_PIECES)
        command = [sys.executable, "-c", LOAD, str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    output = done.stdout
    millions, seconds, before, most, weights = map(float, output.split())
    columns = ["", "loading", "before", "most", "its weights"]
    sizes = (f"{mebibytes:,.0f} MiB" for mebibytes in (before, most, weights))
    table("A big model, alone", columns, [[f"{millions:.0f} M", f"{seconds:.1f} s", *sizes]])


if __name__ == "__main__":
    main()
