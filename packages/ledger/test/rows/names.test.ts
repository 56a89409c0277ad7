/** Stored rows as people see them, damaged ones too. */
import fc from "fast-check";
import { concat, toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { commitRow, headRow, openedRow, pageRows, statusRows, usageRows } from "../../src/rows/page-rows.js";
import { nameRow } from "../../src/rows/row.js";
import { digest, KEY_INDEX, text } from "../inputs.js";

const id = new Uint8Array(32).fill(0xab);
const root = { keyIndex: KEY_INDEX, digest: digest(0x9e, 4) };

describe("a named row", () => {
  it("shows the parts of its key and its value", () => {
    const head = nameRow(pageRows, {
      key: headRow.key.encode({ commit: id }),
      value: headRow.value.encode(-1n),
    });
    expect(head).toEqual({ row: headRow, key: { commit: "ab".repeat(32) }, value: "-1", damage: undefined });
    const content = { timestamp: 5n, generation: 2n ** 63n, root, parents: [id] };
    const commit = nameRow(pageRows, {
      key: commitRow.key.encode({ commit: id }),
      value: commitRow.value.encode(content),
    });
    expect(commit?.value).toEqual({
      timestamp: "5",
      generation: "9223372036854775808",
      root: { keyIndex: 1, digest: toHex(root.digest) },
      parents: ["ab".repeat(32)],
    });
    const status = nameRow(pageRows, {
      key: statusRows.synced.key.encode({ identifier: root }),
      value: new Uint8Array(0),
    });
    expect(status?.key).toEqual({ identifier: { keyIndex: 1, digest: toHex(root.digest) } });
    const opened = nameRow(usageRows, {
      key: openedRow.key.encode({ ledger: "notes", page: id.subarray(16) }),
      value: new Uint8Array(8),
    });
    expect(opened).toMatchObject({ key: { ledger: "notes", page: "ab".repeat(16) }, value: "0" });
  });

  it("shows how its key is laid out", () => {
    expect(pageRows.map(({ key }) => key.text)).toEqual([
      "heads/{commit}",
      "merges/{left}/{right}/{commit}",
      "commits/{commit}",
      "objects/{digest}",
      "refcounts/{destination}/object/eager/{source}",
      "refcounts/{destination}/object/lazy/{source}",
      "refcounts/{destination}/commit/{commit}",
      "unsynced/commits/{commit}",
      "transient/objects/{identifier}",
      "local/objects/{identifier}",
      "synced/objects/{identifier}",
      "sync_metadata/{key}",
      "page_is_online",
    ]);
    expect(openedRow.key.text).toBe("opened/{ledger}{page}");
  });

  it("is none if its key is of no kind", () => {
    for (const key of ["", "head/", "heads/", "journals/x", "page_is_online!"])
      expect(nameRow(pageRows, { key: text(key), value: new Uint8Array(0) })).toBeUndefined();
  });

  it("is named, or damaged, or none, whatever its bytes", () => {
    const beginnings = pageRows.map(({ key }) => key.prefix({}));
    const key = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .tuple(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 110 }))
        .map(([prefix, rest]) => concat(prefix, rest)),
      fc
        .tuple(
          fc.constantFrom("heads/", "commits/", "unsynced/commits/"),
          fc.uint8Array({ minLength: 32, maxLength: 32 }),
        )
        .map(([prefix, rest]) => concat(text(prefix), rest)),
    );
    fc.assert(
      fc.property(key, fc.uint8Array({ maxLength: 100 }), (bytes, value) => {
        const named = nameRow(pageRows, { key: bytes, value });
        if (named?.damage !== undefined) expect(named.value).toBeNull();
      }),
      { numRuns: 1000 },
    );
  });
});
