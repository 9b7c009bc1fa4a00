"""What a wheel holds; pyproject.toml says all the rest.

The packages stay as they are. What stands beside them in a checkout goes into a folder
`headlight`: the app, Streamlit's settings, and of the models those with which the wheel stays under
40 MB, without their atlas, which can be measured in the app. The others are found in a checkout.
"""

from setuptools import find_packages, setup

MODELS = ("en-fr", "en-fr-words", "en-fr-dot")
DATA = [f"**/*.{kind}" for kind in ("css", "js", "json", "md", "po", "toml", "tsv")]

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
