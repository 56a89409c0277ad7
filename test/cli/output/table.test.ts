/** Tables that fit a terminal. */
import { expect, it } from "vitest";
import { fittedTable } from "../../../src/cli/output/table.js";

const rows = [
  ["group", "members", "what its members may do"],
  ["office (fa3977a2)", "2", "create contexts, invite members, manage the application"],
  ["a long name of a group (57f93142)", "11", "nothing"],
];
const fitting = { right: [1], wrap: [2], cut: [0], leave: [1] };

it("is as wide as its cells where there is room", () => {
  expect(fittedTable(rows, fitting, undefined)).toEqual([
    "group                              members  what its members may do",
    "office (fa3977a2)                        2  create contexts, invite members, manage the application",
    "a long name of a group (57f93142)       11  nothing",
  ]);
});

it("shortens ids first", () => {
  expect(fittedTable(rows, fitting, 95)).toEqual([
    "group                          members  what its members may do",
    "office (fa3977a2)                    2  create contexts, invite members, manage the application",
    "a long name of a group (57f9)       11  nothing",
  ]);
});

it("words go on below; heads do not", () => {
  expect(fittedTable(rows, fitting, 64)).toEqual([
    "group                          members  what its members may do",
    "office (fa3977a2)                    2  create contexts, invite",
    "                                        members, manage the",
    "                                        application",
    "a long name of a group (57f9)       11  nothing",
  ]);
});

it("names are cut, then a column is left out, with a mark", () => {
  expect(fittedTable(rows, fitting, 44)).toEqual([
    "group             what its members may do  …",
    "office (fa3977a)  create contexts, invite",
    "                  members, manage the",
    "                  application",
    "a long n… (57f9)  nothing",
  ]);
});

it("a word that its column has no room for is broken, and nothing of it is lost", () => {
  const kinds = [
    ["column", "rows"],
    ["Group", "GroupMemberCapability 1"],
  ];
  expect(fittedTable(kinds, { wrap: [1] }, 28)).toEqual([
    "column  rows",
    "Group   GroupMemberCapabilit",
    "        y 1",
  ]);
});

it("without heads the first row gives way like the others", () => {
  const types = [
    ["Role", "u8: 0 Admin, 1 Member, 2 ReadOnly, 3 ReadOnlyTee"],
    ["Hash", "b32"],
  ];
  expect(fittedTable(types, { wrap: [1], heads: false }, 32)).toEqual([
    "Role  u8: 0 Admin, 1 Member, 2",
    "      ReadOnly, 3 ReadOnlyTee",
    "Hash  b32",
  ]);
});
