"""Options for rocksdict from texts.

rocksdict has a method for some options. It also reads RocksDB's OPTIONS files, which know nearly all of them: so the
options are written as such a file, and loaded from it.
"""

import json
import os
import tempfile

from rocksdict import DBPath, Options


def load_options(session, wal_dir, paths):
    """The options of the database, and those of each column family by its name."""
    names = list(session.columns)
    database = dict(session.database)
    if wal_dir is not None:
        database["wal_dir"] = wal_dir
    # The file escapes names; plain ones stand for them.
    lines = ["[Version]", "rocksdb_version=9.8.4", "options_file_version=1.1", "[DBOptions]", *assignments(database)]
    for index, name in enumerate(names):
        factory, options, table = session.columns[name]
        lines += [f'[CFOptions "{plain(index)}"]', *assignments(options), f"table_factory={factory}"]
        lines += [f'[TableOptions/{factory} "{plain(index)}"]', *assignments(table)]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "OPTIONS-000001"), "w") as file:
            file.write("\n".join(lines) + "\n")
        with open(os.path.join(folder, "rocksdict-config.json"), "w") as file:
            json.dump({"raw_mode": True, "prefix_extractors": {}}, file)
        options, columns = Options.load_latest(folder, ignore_unknown_options=True)  # of newer versions
    if paths:
        options.set_db_paths([DBPath(path, size) for path, size in paths])
    return options, {name: columns[plain(index)] for index, name in enumerate(names)}


def plain(index):
    return "default" if index == 0 else f"column{index}"


def assignments(options):
    return [f"{name}={value}" for name, value in options.items()]


def places(plan, folder):
    """Where the database, its logs and its tables are: (database, wal_dir, paths)."""
    database = os.path.join(folder, "db")
    wal_dir = os.path.join(folder, "logs") if plan.wal_dir else None
    paths = []
    if plan.paths:
        # The first path takes little, so that the others get tables too.
        paths = [(os.path.join(folder, f"path{index}"), 20_000) for index in range(plan.paths - 1)]
        paths.append((os.path.join(folder, "path"), 1 << 40))
        if plan.paths > 1:
            paths[0] = (database, 20_000)
    return database, wal_dir, paths
