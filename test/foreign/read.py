"""Reads a database that `write.py` wrote with RocksDB: `read.py SEED FOLDER` writes all rows to FOLDER/rows.bin.

The file: for each column family the length of its name, the name and the number of rows; for each row the lengths of key
and value, the key and the value. Numbers have four bytes, the lowest first.
"""

import os
import sys

from options import load_options, places
from plan import plan_of
from rocksdict import AccessType, Options, Rdict, ReadOptions


def number(value):
    return value.to_bytes(4, "little")


def read(seed, folder):
    plan = plan_of(seed)
    path, wal_dir, paths = places(plan, folder)
    if plan.finish == "checkpoint":
        wal_dir, paths = None, []
    # Whatever the writer would do with a damaged log: read up to there.
    database = plan.sessions[-1].database
    database.pop("wal_recovery_mode", None)
    # Without it, RocksDB ends with SIGSEGV where the last writer kept that list, which need not be the last of the plan.
    database["track_and_verify_wals_in_manifest"] = "true"
    options, columns = load_options(plan.sessions[-1], wal_dir, paths)
    names = Rdict.list_cf(path, Options(raw_mode=True))
    families = {name: columns.get(name, columns["default"]) for name in names}
    database = Rdict(path, options, families, AccessType.read_only(False))
    everything = ReadOptions()
    everything.set_total_order_seek(True)
    everything.set_verify_checksums(True)
    with open(os.path.join(folder, "rows.bin"), "wb") as file:
        for name in names:
            rows = rows_of(database.get_column_family(name), everything)
            encoded = name.encode()
            file.write(number(len(encoded)) + encoded + number(len(rows)))
            for key, value in rows:
                file.write(number(len(key)) + number(len(value)) + key + value)


def rows_of(column, options):
    rows = []
    iterator = column.iter(options)
    iterator.seek_to_first()
    while iterator.valid():
        rows.append((iterator.key(), iterator.value()))
        iterator.next()
    iterator.status()  # raises when the iteration ended early
    return rows


if __name__ == "__main__":
    read(sys.argv[1], sys.argv[2])
