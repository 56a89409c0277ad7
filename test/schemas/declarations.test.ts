/** Schemas that cannot work are refused at their declaration: a key would belong to several kinds of rows. */
import { describe, expect, it } from "vitest";
import { str, u8 } from "../../src/codec/index.js";
import { id32, keyParts, tail, u64be } from "../../src/keys/index.js";
import { type AnyRow, defineSchema, row } from "../../src/schemas/index.js";

class Id extends keyParts("Id", "Group", 0x01, id32("id")) {}
class Other extends keyParts("Other", "Group", 0x01, id32("other")) {}
class Bare extends keyParts(
  "Bare",
  "Group",
  undefined,
  u64be("a"),
  u64be("b"),
  u64be("c"),
  u64be("d"),
  tail("e"),
) {}
class Bare33 extends keyParts("Bare33", "Group", undefined, { ...id32("id"), layout: { span: 33 } }) {}
class Tail extends keyParts("Tail", "Group", 0x01, tail("rest")) {}
class Short extends keyParts("Short", "Group", 0x01, u64be("a")) {}
class Second extends keyParts("Second", "Group", 0x02, id32("id")) {}
class Elsewhere extends keyParts("Elsewhere", "Meta", 0x01, id32("id")) {}
class Namesake extends keyParts("Id", "Meta", 0x05, id32("id")) {}

const of = (...rows: AnyRow[]) => defineSchema("mine", rows);

describe("a schema", () => {
  it.each<[string, () => unknown, RegExp]>([
    [
      "two rows with one column, prefix and size",
      () => of(row(Id, u8), row(Other, str)),
      /key of Id and of Other/,
    ],
    ["one class twice", () => of(row(Id, u8), row(Id, str)), /two rows have the kind Id/],
    ["two kinds of one name", () => of(row(Id, u8), row(Namesake, str)), /two rows have the kind Id/],
    ["an unprefixed tail beside a prefix", () => of(row(Bare, u8), row(Id, u8)), /key of Bare and of Id/],
    ["and the other way round", () => of(row(Id, u8), row(Bare, u8)), /key of Id and of Bare/],
    ["an unprefixed key of the same size", () => of(row(Id, u8), row(Bare33, u8)), /key of Id and of Bare33/],
    [
      "a tail beside a key with its prefix",
      () => of(row(Tail, u8), row(Short, u8)),
      /key of Tail and of Short/,
    ],
  ])("is refused with %s", (_, declare, message) => {
    expect(declare).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) }),
    );
  });

  it("takes keys that prefix, size or column family tell apart", () => {
    const declared = of(row(Id, u8), row(Short, u8), row(Second, u8), row(Elsewhere, u8));
    expect(declared.rows).toHaveLength(4);
    expect(of(row(Short, u8), row(Bare, u8)).identify("Group", new Short({ a: 1n }).bytes)?.kind).toBe(
      "Short",
    );
  });
});
