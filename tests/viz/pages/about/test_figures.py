import numpy as np

from viz.figures.theme import DARK, LIGHT
from viz.pages.about.figures import head_scores, training_curves


def test_head_scores_put_layers_on_rows_and_heads_on_columns() -> None:
    scores = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])
    figure = head_scores(scores, "previous", signed=False, theme=LIGHT).to_dict()
    heatmap = figure["data"][0]
    assert list(heatmap["y"]) == ["1", "2"]
    assert list(heatmap["x"]) == ["1", "2", "3"]
    assert heatmap["zmin"] == 0
    assert heatmap["textfont"]["size"] >= 12  # plotly's own choice counts the markup and shrinks
    assert figure["layout"]["yaxis"]["autorange"] == "reversed"


def test_signed_scores_are_centred_at_zero() -> None:
    heatmap = head_scores(np.zeros((1, 1)), "antecedent", signed=True, theme=DARK).to_dict()
    assert heatmap["data"][0]["zmin"] == -heatmap["data"][0]["zmax"]


def test_curves_show_loss_dev_loss_and_learning_rate() -> None:
    figure = training_curves([1, 2], [5.0, 4.0], [0.1, 0.2], [2], [3.9], LIGHT).to_dict()
    drawn = [list(trace["y"]) for trace in figure["data"]]
    assert drawn == [[5.0, 4.0], [3.9], [0.1, 0.2]]
