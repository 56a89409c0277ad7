"""Which database a seed stands for: its column families, and the options of every session that writes it.

A plan is a function of the seed alone. `write.py` follows it, `read.py` opens the result with the options of its last
session. `forms` names what is special about a database; refusals.mjs says which form justifies which refusal.
"""

import random
from dataclasses import dataclass, field

from columns import ColumnPlan, column_plan, column_session

NAMES = ["Meta", "State", "a b", "ünï-ćode", 'quo"ted', "x" * 200, "[CFOptions]", "tab\tand=equals", "0"]

PECULIARITIES = [
    "bzip2",
    "old tables",
    "first keys",
    "plain tables",
    "blob files",
    "another order",
    "entities",
    "ingested",
    "ingested",
]
"""What not every reader can read. A database has one of them at most, so that each is met alone."""


@dataclass
class Session:
    """One opening for writing: options as texts, by name."""

    database: dict
    columns: dict
    """For each column family the name of its table factory, its options and those of its tables."""
    operations: int
    kill: bool
    """End without closing, as a killed writer does."""
    avoid_wal: float
    """How many of the writes bypass the write-ahead log."""
    entities: float
    """How many of the writes are wide columns."""
    ingestions: float


@dataclass
class Plan:
    seed: str
    columns: dict
    wal_dir: bool
    paths: int
    """How many folders hold tables: 0 for the database's own folder only."""
    sessions: list
    finish: str
    """What happens after the last session: nothing, "repair" or "checkpoint"."""
    forms: set = field(default_factory=set)


def plan_of(seed):
    rng = random.Random(f"{seed} options")
    forms = set()
    names = ["default", *rng.sample(NAMES, rng.choice([0, 0, 1, 1, 2, 3, 5]))]
    node = rng.random() < 0.15
    peculiarity = rng.choice(PECULIARITIES) if not node and rng.random() < 0.25 else ""
    # A node has one folder, plain logs, and is not repaired: nothing justifies to refuse its database.
    wal_dir = rng.random() < 0.05 and not node
    paths = rng.choice([1, 2, 3]) if rng.random() < 0.05 and not node else 0
    columns = {name: column_plan(rng, peculiarity, paths > 1, node, forms) for name in names}
    fixed = fixed_database_options(rng)
    # Recycled logs must hold every write.
    without_log = rng.random() < 0.08
    sessions = []
    for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
        sessions.append(
            Session(
                database={**fixed, **database_options(rng, forms, not without_log, node)},
                columns={name: column_session(rng, columns[name], peculiarity, forms) for name in names},
                operations=rng.choice([0, 3, 40, 40, 200, 200, 800, 2500]),
                kill=rng.random() < 0.5,
                avoid_wal=rng.choice([0.02, 0.5, 1]) if without_log else 0,
                entities=0.1 if peculiarity == "entities" else 0,
                ingestions=0.02 if peculiarity == "ingested" else 0,
            )
        )
    finish = rng.choices(["", "repair", "checkpoint"], [92, 4, 4])[0]
    # Repairing looks into the database's own folder only, and takes one order for all column families.
    if finish == "repair" and (node or wal_dir or paths or peculiarity == "another order"):
        finish = ""
    if finish == "checkpoint" and paths:
        finish = ""  # RocksDB makes none of such a database
    plan = Plan(str(seed), columns, wal_dir, paths, sessions, finish, forms)
    forms.update(name for name, there in general_forms(plan, peculiarity).items() if there)
    return plan


def general_forms(plan, peculiarity):
    return {
        peculiarity or "nothing peculiar": True,
        "a node's options": any(column.node for column in plan.columns.values()),
        "wal_dir": plan.wal_dir,
        "db_paths": plan.paths > 0,
        "several column families": len(plan.columns) > 1,
        "several sessions": len(plan.sessions) > 1,
        "buffered log": plan.sessions[-1].kill and "manual_wal_flush" in plan.sessions[-1].database,
        "killed": plan.sessions[-1].kill,
        "writes without a write-ahead log": any(session.avoid_wal for session in plan.sessions),
        plan.finish or "as it was left": True,
    }


def fixed_database_options(rng):
    """Options that stay what they are for all sessions."""
    options = {}
    if rng.random() < 0.05:
        options["write_identity_file"] = "false"
        options["write_dbid_to_manifest"] = "true"
    if rng.random() < 0.04:
        options["allow_ingest_behind"] = "true"
    return options


def database_options(rng, forms, may_recycle, node):
    options = {
        "create_if_missing": "true",
        "create_missing_column_families": "true",
        "info_log_level": "FATAL_LEVEL",
        "stats_dump_period_sec": "0",
    }

    def sometimes(probability, name, *values):
        if rng.random() < probability:
            options[name] = rng.choice(values)

    if rng.random() < 0.07 and not node:
        options["wal_compression"] = "kZSTD"
        forms.add("compressed log")
    if may_recycle and rng.random() < 0.2:
        options["recycle_log_file_num"] = rng.choice(["1", "2", "5"])
        forms.add("recycled logs")
    else:
        sometimes(
            0.1,
            "wal_recovery_mode",
            "kTolerateCorruptedTailRecords",
            "kSkipAnyCorruptedRecords",
        )
    mode = rng.choice(["", "", "", "pipelined", "two queues", "atomic"])
    if mode == "pipelined":
        options["enable_pipelined_write"] = "true"
    elif mode == "two queues":
        options["two_write_queues"] = "true"
    elif mode == "atomic":
        options["atomic_flush"] = "true"
        forms.add("atomic flush")
    if rng.random() < 0.1:
        options["track_and_verify_wals_in_manifest"] = "true"
        forms.add("logs in the manifest")
    sometimes(0.1, "max_manifest_file_size", "300", "2000")
    sometimes(0.15, "max_total_wal_size", "1", "20000", "200000")
    sometimes(0.1, "db_write_buffer_size", "100000")
    sometimes(0.4, "avoid_flush_during_shutdown", "true")
    sometimes(0.3, "avoid_flush_during_recovery", "true")
    sometimes(0.1, "manual_wal_flush", "true")
    sometimes(0.1, "file_checksum_gen_factory", "FileChecksumGenCrc32cFactory")
    sometimes(0.1, "max_subcompactions", "4")
    sometimes(0.1, "use_fsync", "true")
    sometimes(0.05, "allow_mmap_writes", "true")
    sometimes(0.05, "allow_fallocate", "false")
    sometimes(0.05, "allow_2pc", "true")
    return options


def describe(plan):
    """The plan as plain data, for people and for Node."""
    return {
        "forms": sorted(plan.forms),
        "finish": plan.finish,
        "wal_dir": plan.wal_dir,
        "paths": plan.paths,
        "columns": {name: vars(column) for name, column in plan.columns.items()},
        "sessions": [vars(session) for session in plan.sessions],
    }


__all__ = ["ColumnPlan", "Plan", "Session", "describe", "plan_of"]
