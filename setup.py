"""The content of a wheel; pyproject.toml says the rest.

The packages stay unchanged. The files beside them in a checkout go into a folder `headlight`: the
app, Streamlit's settings, and those models that keep the wheel under 40 MB, without their atlas,
which can be measured in the app. A checkout has the others.
"""

from setuptools import find_packages, setup

MODELS = ("en-fr", "en-fr-words", "en-fr-dot")
DATA = [f"**/*.{kind}" for kind in ("css", "js", "json", "md", "po", "toml", "tsv", "wat")]

setup(
    packages=["headlight", *find_packages(include=["model", "model.*", "viz", "viz.*"])],
    package_dir={"headlight": "."},
    package_data={
        "headlight": [".streamlit/config.toml", *(f"checkpoints/{name}/*" for name in MODELS)],
        "model": DATA,
        "viz": DATA,
    },
    exclude_package_data={"headlight": ["checkpoints/*/atlas.npz"]},
    include_package_data=False,
)
