"""Writes the database that a seed stands for: `write.py SEED FOLDER`. Prints its plan as JSON.

Each session runs in a process of its own, so that one can end as a killed writer does. `write.py SEED FOLDER NUMBER` runs one, or one
after them with the options of one of them.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys

from options import load_options, places
from plan import describe, plan_of
from rows import KEY_STYLES, VALUE_STYLES
from rocksdict import (
    IngestExternalFileOptions,
    Options,
    Rdict,
    SstFileWriter,
    WriteBatch,
    WriteOptions,
)

KILLED = 77

LONGEST_S = 20
"""A session that takes longer hangs, and is killed."""


class Writer:
    """One session: random operations on the column families of a database."""

    def __init__(self, plan, number, folder):
        self.plan = plan
        self.session = plan.sessions[number % len(plan.sessions)]
        self.is_last = number == len(plan.sessions) - 1
        self.rng = random.Random(f"{plan.seed} rows {number}")
        self.folder = folder
        path, wal_dir, paths = places(plan, folder)
        self.path = path
        self.options, self.columns = load_options(self.session, wal_dir, paths)
        found = Rdict.list_cf(path, Options(raw_mode=True)) if os.path.exists(os.path.join(path, "CURRENT")) else ["default"]
        default = self.columns["default"]
        self.database = Rdict(path, self.options, {name: self.columns.get(name, default) for name in found})
        self.open = {name: self.database.get_column_family(name) for name in found if name in self.columns}
        for name in self.columns:
            if name not in self.open and self.rng.random() < 0.9:
                self.open[name] = self.database.create_column_family(name, self.columns[name])
        self.snapshots = []
        self.without_log = WriteOptions()
        self.without_log.disable_wal = True

    def run(self):
        for _ in range(self.session.operations):
            self.step()
        if self.rng.random() < 0.3:
            self.any_column().flush()
        if self.rng.random() < 0.15:
            self.any_column().compact_range(None, None)
        is_last = self.is_last
        if self.plan.finish == "repair" and is_last:
            # Repairing loses a column family that has no table.
            for column in self.open.values():
                column.put(b"kept", b"")
            self.flush_all()
        if self.plan.finish == "checkpoint" and is_last:
            from rocksdict import Checkpoint  # older versions have none

            Checkpoint(self.database).create_checkpoint(os.path.join(self.folder, "checkpoint"))
        if self.session.kill:
            if self.session.database.get("manual_wal_flush") and self.rng.random() < 0.7:
                self.database.flush_wal(False)
            sys.stdout.flush()
            os._exit(KILLED)
        for one in [*self.snapshots, *self.open.values()]:
            if hasattr(one, "close"):
                one.close()
        self.snapshots.clear()
        self.database.close()

    def step(self):
        rng = self.rng
        draw = rng.random()
        name = rng.choice(list(self.open))
        column = self.open[name]
        # Older versions have no entities.
        if rng.random() < self.session.entities and hasattr(column, "put_entity"):
            names = rng.sample([b"", b"a", b"name", b"\xff"], rng.randrange(1, 4))
            column.put_entity(self.key(name), names, [self.value(name) for _ in names])
        elif rng.random() < self.session.ingestions:
            self.ingest(name)
        elif draw < 0.66:
            column.put(self.key(name), self.value(name), self.how())
        elif draw < 0.82:
            column.delete(self.key(name), self.how())
        elif draw < 0.85:
            if (ends := self.range(name)) is not None:
                column.delete_range(*ends, self.how())
        elif draw < 0.975:
            self.batch()
        elif draw < 0.983:
            column.flush()
        elif draw < 0.986:
            column.compact_range(*sorted([self.key(name), self.key(name)]))
        elif draw < 0.992:
            self.snapshots = [] if len(self.snapshots) > 2 else [*self.snapshots, column.snapshot()]
        elif draw < 0.994:
            self.columns_come_and_go(name)
        else:
            self.flush_all()

    def flush_all(self):
        for column in self.open.values():
            column.flush()

    def batch(self):
        batch = WriteBatch(raw_mode=True)
        for _ in range(self.rng.choice([0, 1, 5, 40])):
            name = self.rng.choice(list(self.open))
            handle = self.database.get_column_family_handle(name)
            draw = self.rng.random()
            if draw < 0.75:
                batch.put(self.key(name), self.value(name), handle)
            elif draw < 0.97:
                batch.delete(self.key(name), handle)
            elif (ends := self.range(name)) is not None:
                batch.delete_range(*ends, handle)
        self.database.write(batch, self.how())

    def columns_come_and_go(self, name):
        if name != "default" and self.rng.random() < 0.5:
            self.snapshots.clear()
            self.open.pop(name).close()
            self.database.drop_column_family(name)
        else:
            for missing in [one for one in self.columns if one not in self.open]:
                self.open[missing] = self.database.create_column_family(missing, self.columns[missing])

    def ingest(self, name):
        rng = self.rng
        keys = sorted({self.key(name) for _ in range(rng.choice([1, 10, 60]))}, reverse=self.descending(name))
        file = os.path.join(self.folder, "ingested.sst")
        writer = SstFileWriter(self.columns[name])
        writer.open(file)
        for key in keys:
            if rng.random() < 0.9:
                writer[key] = self.value(name)
            else:
                del writer[key]
        writer.finish()
        options = IngestExternalFileOptions()
        options.set_move_files(rng.random() < 0.5)
        self.open[name].ingest_external_file([file], options)
        if os.path.exists(file):
            os.remove(file)

    def range(self, name):
        """Two keys in their order, mostly close to each other; None if nothing can delete a range."""
        first = self.key(name)
        last = self.key(name) if self.rng.random() < 0.1 else first + b"\xff" * self.rng.randrange(1, 4)
        first, last = sorted([first, last], reverse=self.descending(name))
        return None if first == last or self.plan.columns[name].factory == "PlainTable" else (first, last)

    def any_column(self):
        return self.rng.choice(list(self.open.values()))

    def descending(self, name):
        return "comparator" in self.plan.columns[name].fixed

    def key(self, name):
        return KEY_STYLES[self.plan.columns[name].keys](self.rng)

    def value(self, name):
        return VALUE_STYLES[self.plan.columns[name].values](self.rng)

    def how(self):
        return self.without_log if self.rng.random() < self.session.avoid_wal else None


def write(seed, folder):
    plan = plan_of(seed)
    path, _, paths = places(plan, folder)
    for place in [path, *(place for place, _ in paths)]:
        os.makedirs(place, exist_ok=True)
    for number, session in enumerate(plan.sessions):
        ended = subprocess.run([sys.executable, __file__, str(seed), folder, str(number)])
        if ended.returncode == -signal.SIGALRM:
            continue  # RocksDB waits for itself, with some options: the session was killed, as others are
        if ended.returncode == -signal.SIGSEGV:
            print("null")  # RocksDB crashes with some options, and would again in each session
            return
        if ended.returncode != (KILLED if session.kill else 0):
            sys.exit(f"session {number} of {len(plan.sessions)} ended with {ended.returncode}")
    if plan.finish == "repair":
        options, _ = load_options(plan.sessions[-1], None, [])
        Rdict.repair(path, options)
    if plan.finish == "checkpoint" and not os.path.exists(os.path.join(folder, "checkpoint")):
        print("null")  # killed before it made one
        return
    if plan.finish == "checkpoint":
        # The original would be read in place of it.
        shutil.rmtree(path)
        os.rename(os.path.join(folder, "checkpoint"), path)
    print(json.dumps(describe(plan)))


if __name__ == "__main__":
    if len(sys.argv) == 4:
        signal.alarm(LONGEST_S)
        Writer(plan_of(sys.argv[1]), int(sys.argv[3]), sys.argv[2]).run()
    else:
        write(sys.argv[1], sys.argv[2])
