import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { CalimeroNode } from "../../../src/node/index.js";
import { replayFacts } from "../../../src/node/replay/index.js";
import { ReplayedRows } from "../../../src/node/replay/rows.js";
import { descendants } from "../../../src/node/replay/transitions/tree.js";
import { core010, core011, schemaNamed } from "../../../src/schemas/index.js";
import { listOf } from "../../support/lists.js";
import { rejection } from "../../support/rejection.js";
import { groupMeta } from "./histories/both.js";
import { MadeNamespace } from "./made-namespace.js";

const id = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

const factsOf = async (made: MadeNamespace) => listOf(replayFacts(await made.store()));

describe("A replay", () => {
  it("counts an operation that decrypts to nothing known as unreadable", async () => {
    const made = await MadeNamespace.found();
    await made.encrypted(made.namespace, Uint8Array.of(250, 1, 2, 3));
    const unreadable = (await factsOf(made)).filter(({ fact }) => fact === "unreadable");
    expect(unreadable).toMatchObject([{ fact: "unreadable", count: 1 }]);
  });

  it("finds the operation of a logged row by the whole signature", async () => {
    const made = await MadeNamespace.found();
    const [first, second] = [Uint8Array.of(...id(7), ...id(1)), Uint8Array.of(...id(7), ...id(2))];
    await made.group(
      made.namespace,
      { kind: "MemberAdded", member: id(1), role: "Member" },
      { signature: first },
    );
    await made.group(
      made.namespace,
      { kind: "MemberAdded", member: id(2), role: "Admin" },
      { signature: second },
    );
    const facts = await factsOf(made);
    expect(facts.filter(({ fact }) => fact === "never sent" || fact === "not logged")).toEqual([]);
  });

  it("walks a group with 200,000 groups below it", () => {
    const rows = new ReplayedRows();
    for (let n = 0; n < 200_000; n++) rows.set("GroupChildIndex", ["top", `below ${n}`], null);
    expect(descendants(rows, "top")).toHaveLength(200_000);
  });
});

describe("The rows after an operation", () => {
  it("have nothing that a later operation set", async () => {
    const made = await MadeNamespace.found();
    const before = await made.group(made.namespace, { kind: "DefaultCapabilitiesSet", capabilities: 3 });
    const target = { targetApplicationId: id(5), appKey: id(6) };
    await made.group(made.namespace, { kind: "TargetApplicationSet", ...target });
    const name = { name: "later", data: new Map<string, string>() };
    await made.group(made.namespace, { kind: "GroupMetadataSet", ...name });
    const founder = fromHex(made.founder.id);
    const meta = groupMeta(founder, { ...target, ownerIdentity: founder });
    await made.put("GroupMeta", [made.namespace], meta);
    await made.put("GroupMetadata", [made.namespace], { ...name, updatedAt: 9n, updatedBy: founder });
    const past = await new CalimeroNode(await made.store()).at(toHex(before));
    const group = await past.group(toHex(made.namespace));
    expect(group?.group.name).toBeUndefined();
    expect(group?.application?.id).not.toBe(toHex(id(5)));
  });

  it("are refused where the rows are of another revision than the operations", async () => {
    const made = await MadeNamespace.found();
    const before = await made.group(made.namespace, { kind: "DefaultCapabilitiesSet", capabilities: 3 });
    const meta = groupMeta(fromHex(made.founder.id), { upgradePolicy: { kind: "LazyOnAccess" } });
    await made.put("GroupMeta", [made.namespace], meta, core010 as unknown as typeof core011);
    const families = core011.rows.map((row) => [
      familyOf(row),
      row.kind === "GroupMeta" ? "core-0.10" : "core-0.11",
    ]);
    const mixed = schemaNamed({ revision: "mixed", families: Object.fromEntries(families) });
    const node = new CalimeroNode(await made.store(mixed as unknown as typeof core011));
    await rejection(node.at(toHex(before)), "REVISION_UNKNOWN", "GroupMeta");
  });
});

function familyOf({ column, key }: (typeof core011.rows)[number]): string {
  const { PREFIX } = key as { readonly PREFIX?: number };
  return PREFIX === undefined ? column : `${column} 0x${toHex(Uint8Array.of(PREFIX))}`;
}
