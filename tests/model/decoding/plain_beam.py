"""Beam search written a second time, as plainly as can be, to hold the real one against."""

from dataclasses import dataclass, field

import torch

from model.decoding.steps import Scorer


@dataclass
class PlainBeam:
    """Dictionaries of whole prefixes: no tree, no batch, no early end."""

    score_next: Scorer
    width: int
    penalty: float
    end_id: int
    finished: dict[tuple[int, ...], float] = field(default_factory=dict)

    def weigh(self, prefix: tuple[int, ...], log_prob: float) -> float:
        return log_prob * (6 / (5 + len(prefix) - 1)) ** self.penalty

    def search(self, begin_id: int, longest: int) -> tuple[tuple[int, ...], float]:
        living: dict[tuple[int, ...], float] = {(begin_id,): 0.0}
        while living and len(next(iter(living))) < longest:
            grown: dict[tuple[int, ...], float] = {}
            for prefix, so_far in living.items():
                row = self.score_next(torch.tensor([prefix]))[0].double().log_softmax(0).tolist()
                for id_ in sorted(range(len(row)), key=row.__getitem__)[-self.width :]:
                    grown[(*prefix, id_)] = so_far + row[id_]
            ranked = sorted(grown, key=lambda prefix: self.weigh(prefix, grown[prefix]))
            places = self.width - len(self.finished)
            survivors = ranked[max(0, len(ranked) - places) :]
            ended = [prefix for prefix in survivors if prefix[-1] == self.end_id]
            self.finished |= {prefix: grown[prefix] for prefix in ended}
            living = {prefix: grown[prefix] for prefix in survivors if prefix not in ended}
        pool = self.finished or living
        best = max(pool, key=lambda prefix: self.weigh(prefix, pool[prefix]))
        return best, self.weigh(best, pool[best])
