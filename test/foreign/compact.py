"""Has RocksDB write all of a database into tables, compacts it, and closes it: `compact.py SEED FOLDER WHAT`.

WHAT is "flush" for no compaction, "limit" for one that only drops tables of families that are first in, first out, and "all" for one
of all tables that drops none.
"""

import re
import sys

from options import load_options, places
from plan import plan_of
from rocksdict import Options, Rdict

FIFO = "compaction_options_fifo"


def compact(seed, folder, what):
    plan = plan_of(seed)
    path, wal_dir, paths = places(plan, folder)
    session = plan.sessions[-1]
    if plan.finish == "checkpoint":
        wal_dir, paths = None, []
    session.database.pop("wal_recovery_mode", None)
    for _, options, _ in session.columns.values():
        if what != "all":
            options["disable_auto_compactions"] = "true"
        if FIFO in options:
            setting = f"max_table_files_size={1 << 60}" if what == "all" else "allow_compaction=false"
            options[FIFO] = re.sub(rf"{setting.split('=')[0]}=\w+", setting, options[FIFO])
    options, columns = load_options(session, wal_dir, paths)
    options.set_paranoid_checks(True)
    names = Rdict.list_cf(path, Options(raw_mode=True))
    database = Rdict(path, options, {name: columns.get(name, columns["default"]) for name in names})
    families = [database.get_column_family(name) for name in names]
    for name, family in zip(names, families):
        family.flush()
        if what == "all" or (what == "limit" and name in plan.columns and FIFO in plan.columns[name].fixed):
            family.compact_range(None, None)
    for family in families:
        family.close()
    database.close()


if __name__ == "__main__":
    compact(*sys.argv[1:])
