/** The reads of a lookup of many keys. */
import { expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { openFiles } from "../../../src/engines/files/index.js";
import { contentsOf } from "../../support/files.js";
import { fixturePath, fixtureRows } from "../../support/fixtures.js";
import { MemoryFiles } from "./memory-files.js";

const name = "core-0.11/tables";

it.each([true, false])(
  "many keys at once read no block twice, read at once or waited for: %s",
  async (now) => {
    const files = new MemoryFiles(contentsOf(fixturePath(name, "db")), now);
    const rows = fixtureRows(name).filter(({ column }) => column === "Group");
    await using engine = await openFiles(files);
    const before = files.reads.length;
    const values = await engine.getMany(
      "Group",
      rows.map(({ key }) => fromHex(key)),
    );
    expect(values.map((value) => value && toHex(value))).toEqual(rows.map(({ value }) => value));
    const reads = files.reads.slice(before);
    expect(reads.length).toBeGreaterThan(1);
    expect(reads.toSorted()).toEqual([...new Set(reads)].sort());
  },
);
