/** The order of members: admins first, then by name, nameless ones by id, however they are members. */
import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import { MemberIds } from "../../src/node/member-list.js";

const id = (first: string): string => first.padEnd(64, "0");

describe("the members of a group", () => {
  it("come by role, name and id", async () => {
    const ids = new MemberIds();
    const add = (first: string, role: string, name?: string, through?: string): void =>
      ids.add(fromHex(id(first)), { role, name, through });
    // Members with their own row come in the order of their ids, then members through groups above.
    for (const [at, first] of [..."123456789"].entries()) add(first, at % 2 === 0 ? "Member" : "ReadOnly");
    add("a1", "Admin");
    add("a2", "Admin", "zoe");
    add("a3", "Admin", "adam");
    add("b1", "unknown");
    add("b2", "RelayTee");
    add("b3", "Member", "adam");
    add("35", "Member", undefined, id("f1"));
    add("0f", "Member", undefined, id("f2"));
    add("c1", "Auditor");
    add("c2", "Auditor", "eve");
    await ids.sort();
    expect([...ids.sorted()].map((one) => one.id.replace(/0+$/, ""))).toEqual([
      ...["a3", "a2", "a1"],
      ...["b3", "0f", "1", "3", "35", "5", "7", "9"],
      ...["2", "4", "6", "8"],
      ...["b2", "b1"],
      ...["c2", "c1"],
    ]);
    expect([...ids.sorted()].find((one) => one.id === id("35"))).toEqual({
      id: id("35"),
      role: "Member",
      through: id("f1"),
    });
    expect(ids.length).toBe(19);
  });

  it("can be many", () => {
    const ids = new MemberIds();
    for (let at = 0; at < 100_000; at++)
      ids.add(fromHex(at.toString(16).padStart(64, "0")), { role: "Member", name: undefined });
    let next = 0;
    for (const member of ids.sorted()) if (Number.parseInt(member.id, 16) === next) next++;
    expect(next).toBe(100_000);
  });

  it("come by name where they are many, and other work has its turn meanwhile", async () => {
    const ids = new MemberIds();
    const names = Array.from({ length: 30_000 }, (_, at) => `name ${(at * 7919) % 30_000}`);
    for (const [at, name] of names.entries())
      ids.add(fromHex(at.toString(16).padStart(64, "0")), { role: "Member", name });
    let isSorted = false;
    let turns = 0;
    const count = (): void => {
      turns++;
      if (!isSorted) setImmediate(count);
    };
    setImmediate(count);
    await ids.sort();
    isSorted = true;
    expect(turns).toBeGreaterThan(1);
    expect([...ids.sorted()].map((one) => names[Number.parseInt(one.id, 16)])).toEqual(names.toSorted());
  });
});
