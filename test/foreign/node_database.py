"""Writes given rows into a database with a node's options: `node_database.py ROWS FOLDER`.

ROWS is a file as `read.py` writes it. Most rows are compacted to the lowest level, which is compressed with ZSTD and a trained
dictionary; some are in level 0, compressed with LZ4; the last ones are in the write-ahead log only.
"""

import os
import sys

from columns import NODE, NODE_TABLES
from options import load_options
from plan import Session
from rocksdict import BottommostLevelCompaction, CompactOptions, Rdict


def read_rows(path):
    with open(path, "rb") as file:
        data = file.read()
    at = 0

    def number():
        nonlocal at
        at += 4
        return int.from_bytes(data[at - 4 : at], "little")

    def take(length):
        nonlocal at
        at += length
        return data[at - length : at]

    families = {}
    while at < len(data):
        name = take(number()).decode()
        lengths = [None] * number()
        rows = families[name] = []
        for _ in lengths:
            key, value = number(), number()
            rows.append((take(key), take(value)))
    return families


def most_compacted(_family, index, _rows):
    """The part of the database that has a row: 0 the lowest level, 1 level 0, 2 the log."""
    return (0, 0, 0, 0, 0, 0, 0, 1, 1, 2)[index % 10]


def write(rows, folder, part_of=most_compacted):
    """Writes rows by column family, then ends the process."""
    families = {"default": [], **rows}
    options = {**NODE, "disable_auto_compactions": "true"}
    session = Session(
        database={"create_if_missing": "true", "create_missing_column_families": "true", "info_log_level": "FATAL_LEVEL"},
        columns={name: ("BlockBasedTable", options, NODE_TABLES) for name in families},
        operations=0,
        kill=True,
        avoid_wal=0,
        entities=0,
        ingestions=0,
    )
    database_options, columns = load_options(session, None, [])
    database = Rdict(folder, database_options, columns)
    everything = CompactOptions()
    everything.set_bottommost_level_compaction(BottommostLevelCompaction.force())
    open_families = {name: database.get_column_family(name) for name in families}
    for part, column in [(0, "compacted"), (1, "flushed"), (2, "logged")]:
        for name, rows in families.items():
            family = open_families[name]
            for index, (key, value) in enumerate(rows):
                if part_of(name, index, len(rows)) == part:
                    family.put(key, value)
        for family in open_families.values():
            if column != "logged":
                family.flush()
            if column == "compacted":
                family.compact_range(None, None, everything)
    os._exit(0)


if __name__ == "__main__":
    write(read_rows(sys.argv[1]), sys.argv[2])
