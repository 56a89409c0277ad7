/** The rows with the times when pages were used. */
import fc from "fast-check";
import { concat } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { openedRow, usageRows } from "../../src/rows/page-rows.js";
import { text } from "../inputs.js";

const page = text("/page/page/page/");

describe("opened/{ledger_name}{page_id}", () => {
  it("is the name and the page, without anything between them", () => {
    const key = concat(text("opened/"), text("my/ledger"), page);
    expect(openedRow.key.encode({ ledger: "my/ledger", page })).toEqual(key);
    expect(openedRow.key.parse(key)).toEqual({ ledger: "my/ledger", page });
    expect(usageRows).toEqual([openedRow]);
  });

  it("returns every name, also empty names and names with slashes", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.uint8Array({ minLength: 16, maxLength: 16 }),
        (ledger, id) => {
          const key = openedRow.key.encode({ ledger, page: id });
          expect(openedRow.key.parse(key)).toEqual({ ledger, page: id });
        },
      ),
    );
  });

  it("needs a whole page id, and takes names that are not UTF-8", () => {
    expect(openedRow.key.parse(concat(text("opened/"), page.subarray(1)))).toBeUndefined();
    const key = concat(text("opened/"), Uint8Array.of(0xff), page);
    expect(openedRow.key.parse(key)).toEqual({ ledger: "\udcff", page });
    expect(openedRow.key.encode({ ledger: "\udcff", page })).toEqual(key);
    expect(() => openedRow.key.encode({ ledger: "a", page: page.subarray(1) })).toThrow("expected 16 bytes");
  });

  it("is 0 while the page is open, else the time of the last close", () => {
    expect(openedRow.value.encode(0n)).toEqual(new Uint8Array(8));
    expect(openedRow.value.encode(256n)).toEqual(Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 0));
  });
});
