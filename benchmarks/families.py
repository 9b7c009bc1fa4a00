"""Time both families of encoders against the length: `python -m benchmarks.families`."""

import argparse
import sys

import torch

from model.command import command
from model.measures.encoder_times import encoder_times
from model.translator import load_translator

LENGTHS = (8, 16, 32, 64, 128, 256)


@command
def main() -> None:
    """Print milliseconds for a source of each length, one thread, the fastest of five runs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.families", description=__doc__)
    parser.add_argument("--checkpoints", nargs="+", default=["en-fr", "en-fr-additive"])
    options = parser.parse_args()
    torch.set_num_threads(1)
    networks = {name: load_translator(name).network for name in options.checkpoints}
    print(f"{'pieces':>6} " + " ".join(f"{name:>16}" for name in networks))
    times = [encoder_times(network, LENGTHS) for network in networks.values()]
    for row in zip(*times, strict=True):
        print(f"{row[0].length:>6} " + " ".join(f"{time.milliseconds:>13.2f} ms" for time in row))


if __name__ == "__main__":
    sys.exit(main())
