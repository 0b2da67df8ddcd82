"""Reads every table of a taskwright dataset with pyarrow and prints
{table: {"types": {column: type}, "rows": [...]}} as JSON.

    python arrow.py DIR
"""

import datetime
import glob
import json
import os
import sys

import pyarrow.parquet as pq

TABLES = {
    "servers": "catalog/servers.parquet",
    "tools": "catalog/tools.parquet",
    "edges": "catalog/edges.parquet",
    "tasks": "tasks/*.parquet",
    "tape": "tape/*.parquet",
    "trajectories": "runs/*/trajectories-*.parquet",
    "scores": "runs/*/scores-*.parquet",
}

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def plain(value):
    """Turns a value into JSON; times become microseconds since 1970."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value} has no time zone")
        return (value - EPOCH) // datetime.timedelta(microseconds=1)
    return value


def read(directory):
    out = {}
    for table, pattern in TABLES.items():
        rows, types = [], {}
        for path in sorted(glob.glob(os.path.join(glob.escape(directory), pattern))):
            data = pq.ParquetFile(path, page_checksum_verification=True).read()
            types = {f.name: str(f.type) for f in data.schema}
            rows += [plain(row) for row in data.to_pylist()]
        out[table] = {"types": types, "rows": rows}
    return out


if __name__ == "__main__":
    json.dump(read(sys.argv[1]), sys.stdout)
