"""Measures RocksDB's own iterator: `scan.py FOLDER RUNS` reads all rows of a database so many times.

Prints a line of JSON for each time: rows, and seconds of CPU. Keys and values stay in RocksDB, so that Python costs little.
"""

import json
import sys
import time

from rocksdict import AccessType, Options, Rdict


def scan(folder, runs):
    names = Rdict.list_cf(folder, Options(raw_mode=True))
    families = {name: Options(raw_mode=True) for name in names}
    database = Rdict(folder, Options(raw_mode=True), families, AccessType.read_only(False))
    columns = [database.get_column_family(name) for name in names]
    for _ in range(runs):
        begin = time.process_time()
        rows = 0
        for column in columns:
            iterator = column.iter()
            iterator.seek_to_first()
            valid, forward = iterator.valid, iterator.next
            while valid():
                rows += 1
                forward()
            iterator.status()  # raises when the iteration ended early
        print(json.dumps({"rows": rows, "seconds": time.process_time() - begin}))


if __name__ == "__main__":
    scan(sys.argv[1], int(sys.argv[2]))
