/** The width of names in any script: wide characters take two cells. */
import { describe, expect, it } from "vitest";
import { cellsOf, cutToCells, padded } from "../../../src/cli/output/cells.js";
import { wrapped } from "../../../src/cli/output/lines.js";
import { fittedTable } from "../../../src/cli/output/table.js";

const FAMILY = "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}";

describe("the cells of a text", () => {
  it.each([
    ["office", 6],
    ["Zoë", 3],
    ["Zoe\u0308", 3],
    ["全角文字", 8],
    ["한국어", 6],
    ["ｆｕｌｌ", 8],
    ["a全b", 4],
    [FAMILY, 2],
    ["❤️", 2],
    ["€…—", 3],
    ["", 0],
  ])("of %j are %d", (text, cells) => {
    expect(cellsOf(text)).toBe(cells);
    expect(cellsOf(padded(text, 12))).toBe(12);
    expect(padded(text, 12, true).trimStart()).toBe(text);
  });

  it("are cut between whole characters", () => {
    expect(cutToCells("全角文字", 5)).toBe("全角");
    expect(cutToCells(`a${FAMILY}b`, 2)).toBe("a");
    expect(cutToCells(`a${FAMILY}b`, 3)).toBe(`a${FAMILY}`);
    expect(cutToCells("office", 3)).toBe("off");
    expect(cutToCells("全", 0)).toBe("");
  });
});

describe("names of wide characters", () => {
  const name = "全角文字".repeat(20);

  it.each([40, 60, 100])("are broken and cut to %d columns", (width) => {
    for (const line of wrapped(`${name} ${name}`, width)) expect(cellsOf(line)).toBeLessThanOrEqual(width);
    expect(wrapped(`${name} ${name}`, width).join("").replaceAll(" ", "")).toBe(name + name);
    const rows = [
      ["name", "members"],
      [`${name} (fa3977a2)`, "12"],
      ["office (83163a22)", "3"],
    ];
    const lines = fittedTable(rows, { right: [1], cut: [0] }, width);
    expect(new Set(lines.map(cellsOf))).toEqual(new Set([width]));
    expect(lines[1]).toMatch(/^全角.*… \(fa39[0-9a-f]*\) +12$/);
  });
});
