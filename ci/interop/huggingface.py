"""Loads every config of a taskwright dataset's card with Hugging Face
datasets and prints {config: {"types": {}, "rows": [...]}} as JSON. Needs no
network.

    python huggingface.py DIR
"""

import json
import os
import sys
import tempfile

os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1", HF_DATASETS_DISABLE_PROGRESS_BARS="1")
os.environ.setdefault("HF_HOME", tempfile.mkdtemp(prefix="taskwright-hf-"))

import datasets  # noqa: E402: the environment must be set first

from arrow import plain  # noqa: E402


def read(directory):
    out = {}
    for config in datasets.get_dataset_config_names(directory):
        rows = []
        for _, split in sorted(datasets.load_dataset(directory, config).items()):
            rows += [plain(row) for row in split]
        out[config] = {"types": {}, "rows": rows}
    return out


if __name__ == "__main__":
    json.dump(read(sys.argv[1]), sys.stdout)
