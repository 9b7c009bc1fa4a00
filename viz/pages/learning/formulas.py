"""The formulas of the page about training, in LaTeX, with the numbers on screen."""

from viz.language.formula import in_formula
from viz.language.text import _


def smoothed_target(epsilon: float, pieces: int, right: float, other: float) -> str:
    """Write the shares of the right piece and of any other piece in the smoothed target."""
    return (
        r"\begin{aligned}"
        r"q_\text{right} &= 1-\varepsilon+\frac{\varepsilon}{V}\\"
        rf"&= 1-{epsilon:.2f}+\frac{{{epsilon:.2f}}}{{{pieces}}} = {right:.4f}\\"
        rf"q_\text{{other}} &= \frac{{\varepsilon}}{{V}} = {number(other)}"
        r"\end{aligned}"
    )


def row_loss(row: int, epsilon: float, surprise: float, smoothed: float) -> str:
    """Write a row's label-smoothed loss; `row` counts from 1.

    `surprise` is -log p of the right piece, and `smoothed` the loss, in nats.
    """
    if not epsilon:
        return rf"L_{{{row}}} = -\log p_\text{{right}} = {surprise:.2f}"
    mean = (smoothed - (1 - epsilon) * surprise) / epsilon
    return (
        rf"\begin{{aligned}}L_{{{row}}} &= -\sum_v q_v \log p_v\\"
        r"&= (1-\varepsilon)(-\log p_\text{right})\\"
        r"&\quad + \varepsilon\,\frac{1}{V}\sum_v(-\log p_v)\\"
        rf"&= {1 - epsilon:.2f}\cdot {surprise:.2f} + {epsilon:.2f}\cdot {mean:.2f}"
        rf" = {smoothed:.2f}\end{{aligned}}"
    )


def whole_loss(rows: int, loss: float) -> str:
    """Write the loss of the example as the mean over its rows."""
    return rf"L = \frac{{1}}{{{rows}}}\sum_{{t=1}}^{{{rows}}} L_t = {loss:.4f}"


def floor(epsilon: float, lowest: float) -> str:
    """Write the entropy of the smoothed target."""
    if not epsilon:
        return r"H(q) = 0"
    return (
        r"\begin{aligned}"
        r"H(q) = &-q_\text{right}\log q_\text{right}\\"
        rf"&- (V-1)\,q_\text{{other}}\log q_\text{{other}} = {lowest:.3f}"
        r"\end{aligned}"
    )


def step(rate: float, norm: float, clip: float, before: float, after: float) -> str:
    """Write the first step of plain descent, with its clip, and the loss before and after it."""
    scale = min(1.0, clip / norm)
    return (
        rf"w \leftarrow w - \eta\,\min\!\Big(1,\frac{{{clip:g}}}{{\lVert g\rVert}}\Big)\,g,\qquad "
        rf"\eta={rate:g},\ \lVert g\rVert = {norm:.2f}:\ \ w \leftarrow w - {rate * scale:.4f}\,g"
        rf",\qquad L:\ {before:.3f} \to {after:.3f}"
    )


def runs_step(rate: float, norm: float, before: float, after: float) -> str:
    """Write the change of the loss by the first step of the optimizers of the model's own run."""
    return (
        rf"\eta={number(rate)},\quad \lVert g\rVert = {norm:.2f},\qquad "
        rf"L:\ {before:.3f} \to {after:.3f}"
    )


def schedule(d_model: int, warmup: int) -> str:
    """Write the paper's learning rate, and its peak for this width and warm-up."""
    peak = (d_model * warmup) ** -0.5
    return (
        r"\text{lrate} = d_\text{model}^{-0.5}\cdot\min(\text{step}^{-0.5},\ "
        rf"\text{{step}}\cdot\text{{warmup}}^{{-1.5}}),\qquad {d_model}^{{-0.5}}\cdot"
        rf"{warmup}^{{-0.5}} = {number(peak)}\ "
        + in_formula(_("at step {step}").format(step=warmup))
    )


def dropout(rate: float) -> str:
    """Write what dropout at this rate does to a value."""
    scale = 1 / (1 - rate)
    chance = in_formula(_("with probability {rate:.2f}").format(rate=rate))
    return (
        rf"x_i \to \begin{{cases}}0 & {chance}\\"
        rf"x_i/(1-{rate:.2f}) = {scale:.3f}\,x_i & {in_formula(_('else'))}\end{{cases}}"
    )


def number(value: float) -> str:
    """Write a number in short form; very small and very large numbers get a power of ten."""
    if value == 0 or 0.01 <= abs(value) < 10_000:
        return f"{value:.4g}"
    digits, power = f"{value:.2e}".split("e")
    return rf"{float(digits):g}\cdot 10^{{{int(power)}}}"
