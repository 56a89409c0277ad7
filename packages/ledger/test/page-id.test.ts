/** Page ids. */

import { fromHex, toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { PAGE_ID_SIZE, pageIdBytes, ROOT_PAGE_ID, randomPageId } from "../src/page-id.js";

describe("page ids", () => {
  it("are 16 bytes, or their hex digits", () => {
    const digits = "000102030405060708090a0b0c0d0e0f";
    expect(pageIdBytes(digits)).toEqual(fromHex(digits));
    expect(pageIdBytes(fromHex(digits))).toEqual(fromHex(digits));
    expect(ROOT_PAGE_ID).toEqual(new Uint8Array(16));
  });

  it("are copied", () => {
    const id = new Uint8Array(16);
    const copy = pageIdBytes(id);
    id[0] = 1;
    expect(copy[0]).toBe(0);
  });

  it("are new ones each time", () => {
    const ids = Array.from({ length: 100 }, () => randomPageId());
    expect(new Set(ids.map(toHex)).size).toBe(100);
    for (const id of ids) expect(id).toHaveLength(PAGE_ID_SIZE);
  });
});
