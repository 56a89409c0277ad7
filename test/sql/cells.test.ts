/** Texts of a column, as they are given to DuckDB. */
import { expect, it } from "vitest";
import type { Bindings, Vector } from "../../src/sql/binding.js";
import { Texts } from "../../src/sql/columns/cells.js";

it("texts of any length stand before hex, which begins at an even offset", () => {
  const texts = new Texts();
  const given: string[] = [];
  const bindings = {
    vector_assign_string_element_len: (_vector: Vector, at: number, text: Uint8Array) =>
      given.push(`${at} ${Buffer.from(text)}`),
  } as Partial<Bindings> as Bindings;
  texts.addText(0, "odd");
  texts.addHex(1, Uint8Array.of(0xab, 0x01));
  texts.addText(2, "even");
  texts.addHex(3, Uint8Array.of(0xff));
  texts.addText(4, "");
  texts.addHex(5, new Uint8Array(0));
  texts.addText(6, "é");
  texts.addHex(7, Uint8Array.of(0x10));
  // More characters of three bytes than the first memory has room for; and an odd length.
  texts.addText(8, "€".repeat(500));
  texts.addText(9, "x".repeat(3001));
  texts.copyTo(bindings, {} as Vector);
  const short = ["0 odd", "1 ab01", "2 even", "3 ff", "4 ", "5 ", "6 é", "7 10"];
  expect(given).toEqual([...short, `8 ${"€".repeat(500)}`, `9 ${"x".repeat(3001)}`]);
});
