/** Checks of each row by itself: a node could have written its key and its value. */
import { ContextPrivateState011, ContextState011 } from "../../keys/index.js";
import { NOTHING } from "../advice.js";
import type { Examined } from "../examine.js";
import type { RowFinding } from "../finding.js";
import { onEveryRow, type Rule } from "../rule.js";
import { unreadable } from "../unreadable.js";

/** The column family that RocksDB always has and that no node uses. */
const DEFAULT = "default";

/** The most findings of a column family about rows of other versions. */
const MOST_VERSIONS = 300;

function keyOf({ column, key, raw }: Examined): RowFinding["key"] {
  return key ?? { COLUMN: column, KIND: null, bytes: raw.key };
}

/** Returns whether the key of an unknown row is a key of State up to 0.11.0-rc.7x: a context's id and a hash. */
function isEarlierState({ column, raw }: Examined): boolean {
  return [ContextState011, ContextPrivateState011].some(
    ({ COLUMN, SIZE }) => COLUMN === column && SIZE === raw.key.length,
  );
}

/** The rule for damaged files. `scanColumn` makes its findings, and `verifyStore` those about logs. */
export const columnReadable: Rule = {
  name: "column-readable",
  relations: [1],
  severity: "error",
  says: "Every column family can be read to its end, and so can the write-ahead logs.",
  means:
    "A file of the database is damaged, and the rows after the damage cannot be read: rules that need them have not seen all of them. Behind damage in a write-ahead log writes of all column families are missing.",
  advice:
    "Stop the node. Restore a copy that verifies, or let `merostore recover DB NEW` make a new database of everything that can still be read.",
  checks: [],
};

export const columnKnown: Rule = {
  name: "column-known",
  relations: [1],
  severity: "info",
  says: "Every column family with rows is one of the revision.",
  means: "Another version of the node, or another program, wrote these rows. This node does not use them.",
  advice: NOTHING,
  checks: [
    {
      kind: undefined,
      async *run(batches, tools) {
        tools.checked();
        for await (const [first] of batches) {
          if (first === undefined || first.columnKnown || first.column === DEFAULT) return;
          const message = "the revision has no such column family: its rows are kept, and not checked";
          yield { key: { COLUMN: first.column, KIND: null, bytes: null }, message };
          return;
        }
      },
    },
  ],
};

export const rowKnown: Rule = {
  name: "row-known",
  relations: [1],
  severity: "error",
  says: "Every key has the size and prefix of some kind of row.",
  means:
    "No known version of the node writes such a key. Another program wrote the row, or its key is damaged.",
  advice:
    "Run `merostore status DB --rows` to see whether another revision fits. If none does, restore a copy that verifies.",
  checks: [
    onEveryRow((row) => {
      if (row.state !== "unknown" || !row.columnKnown || row.version !== undefined) return undefined;
      const found = `${row.raw.key.length} bytes`;
      if (isEarlierState(row)) {
        const message = "its key is one of State before today's layout: it is not read";
        return { key: keyOf(row), message, found, severity: "info" };
      }
      return { key: keyOf(row), message: "no kind of row has such a key", found };
    }),
  ],
};

export const otherVersion: Rule = {
  name: "other-version",
  relations: [1],
  severity: "info",
  says: "Every kind of row is one of the revision.",
  means:
    "Another version of the node wrote rows of this kind. They are kept, by commands that copy too, and they are not checked.",
  advice: "Run `merostore unknown DB` for a description of them without ids and values.",
  checks: [
    {
      kind: undefined,
      async *run(batches, tools) {
        const said = new Set<string>();
        for await (const batch of batches)
          for (const row of batch) {
            tools.checked();
            if (row.state !== "unknown" || row.version === undefined || !row.columnKnown) continue;
            const kind = `${row.raw.key[0]} ${row.version}`;
            if (said.has(kind) || said.size >= MOST_VERSIONS) continue;
            said.add(kind);
            yield { key: keyOf(row), message: `rows of this kind are not checked: of ${row.version}` };
          }
      },
    },
  ],
};

export const rowDecodes: Rule = {
  name: "row-decodes",
  relations: [1],
  severity: "error",
  says: "Every value decodes to its last byte, and so does what lies encoded inside it.",
  means: "The node fails where it reads this row.",
  advice:
    "Run `merostore explain` to see how far the value can be read. Then restore a copy of the database that verifies.",
  checks: [
    onEveryRow((row) =>
      row.state === "undecodable"
        ? {
            key: keyOf(row),
            ...(row.isTooLong
              ? { message: `not checked: ${row.reason}`, severity: "warning" as const }
              : unreadable(row.reason ?? "", row.version)),
          }
        : undefined,
    ),
  ],
};

export const rowCanonical: Rule = {
  name: "row-canonical",
  relations: [1],
  severity: "info",
  says: "Every value is what a node writes: some other bytes are read as well, older ones for example.",
  means: "An older version or another program wrote the value. The node reads it.",
  advice: NOTHING,
  checks: [
    onEveryRow((row) =>
      row.state === "other"
        ? { key: keyOf(row), message: `a node reads it, and would write other bytes: ${row.reason}` }
        : undefined,
    ),
  ],
};

export const keyAccepted: Rule = {
  name: "key-accepted",
  relations: [1],
  severity: "error",
  says: "The node reads every key: an alias, since core-0.11, has no other characters than ASCII letters, digits, `.`, `_` and `-`.",
  means:
    "The node fails where it reads this row, and where it lists the rows beside it. Another program wrote it.",
  advice:
    "Write the row under another name with `merostore put`, and delete this one with `merostore delete`.",
  checks: [
    onEveryRow(({ row, key }) => {
      if (row === undefined || key === undefined) return undefined;
      const expected = row.refused(key);
      return expected === undefined
        ? undefined
        : { key, message: "the node does not read the key", expected };
    }),
  ],
};

export const valueAccepted: Rule = {
  name: "value-accepted",
  relations: [1],
  severity: "error",
  says: "The node reads every value: the source of an application is a URL, and rows of Generic with a known scope hold JSON or an id.",
  means:
    "The node fails where it reads this row; with an application, also where it lists the others. Another program wrote it, or an older node a source that is empty.",
  advice: "Write the value as the node does with `merostore put`.",
  checks: [
    onEveryRow(({ row, key, value, state }) => {
      if (row === undefined || key === undefined || state === "undecodable") return undefined;
      const expected = row.refusedValue(key, value);
      return expected === undefined
        ? undefined
        : { key, message: "the node does not read the value", expected };
    }),
  ],
};

export const defaultEmpty: Rule = {
  name: "default-empty",
  relations: [2],
  severity: "error",
  says: "RocksDB's own column family, default, is empty.",
  means: "A program other than the node has written to the database.",
  advice: "Find out which program it was. The node does not read these rows.",
  checks: [
    onEveryRow((row) =>
      row.column === DEFAULT
        ? { key: keyOf(row), message: "no node writes to this column family" }
        : undefined,
    ),
  ],
};

export const structureRules: readonly Rule[] = [
  columnReadable,
  columnKnown,
  rowKnown,
  otherVersion,
  rowDecodes,
  rowCanonical,
  keyAccepted,
  valueAccepted,
  defaultEmpty,
];
