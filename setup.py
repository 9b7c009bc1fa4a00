"""The content of a wheel; pyproject.toml says the rest.

It has one package, `headlight`. The repository lies in its folder `home` as it is: the app,
Streamlit's settings, model/, viz/, and those models that keep the wheel under 42 MB, without their
atlas, which can be measured in the app. A checkout has the others.
"""

from setuptools import find_packages, setup

MODELS = ("en-fr", "en-fr-words", "en-fr-dot")
DATA = [f"**/*.{kind}" for kind in ("css", "js", "json", "md", "po", "toml", "tsv", "wat")]
HOME = "headlight.home"

setup(
    packages=[
        *("headlight", HOME),
        *(f"{HOME}.{name}" for name in find_packages(include=["model", "model.*", "viz", "viz.*"])),
    ],
    package_dir={"headlight": "headlight", HOME: "."},
    package_data={
        HOME: [
            *(".streamlit/config.toml", "docs/*.md", "docs/assignments/*"),
            *(f"checkpoints/{name}/*" for name in MODELS),
        ],
        f"{HOME}.model": DATA,
        f"{HOME}.viz": DATA,
    },
    exclude_package_data={HOME: ["checkpoints/*/atlas.npz"]},
    include_package_data=False,
)
