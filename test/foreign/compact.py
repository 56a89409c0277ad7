"""Compacts all of a database with RocksDB, and closes it: `compact.py SEED FOLDER`."""

import sys

from options import load_options, places
from plan import plan_of
from rocksdict import Options, Rdict


def compact(seed, folder):
    plan = plan_of(seed)
    path, wal_dir, paths = places(plan, folder)
    if plan.finish == "checkpoint":
        wal_dir, paths = None, []
    plan.sessions[-1].database.pop("wal_recovery_mode", None)
    options, columns = load_options(plan.sessions[-1], wal_dir, paths)
    options.set_paranoid_checks(True)
    names = Rdict.list_cf(path, Options(raw_mode=True))
    database = Rdict(path, options, {name: columns.get(name, columns["default"]) for name in names})
    families = [database.get_column_family(name) for name in names]
    for family in families:
        family.flush()
        family.compact_range(None, None)
    for family in families:
        family.close()
    database.close()


if __name__ == "__main__":
    compact(sys.argv[1], sys.argv[2])
