/** Random histories of valid operations: a node's rows follow from them, whatever causal order it applied. */
import { describe, expect, it } from "vitest";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import { type ReplayFact, replayFacts } from "../../../src/node/replay/index.js";
import type { Store } from "../../../src/store/index.js";
import { listOf } from "../../support/lists.js";
import { Chance } from "./histories/actors.js";
import { revision10 } from "./histories/core-10.js";
import { revision010 } from "./histories/core-010.js";
import { revision011 } from "./histories/core-011.js";
import { writeSite } from "./histories/site-database.js";
import { fourNodes, History, type Made, type Site } from "./histories/writer.js";

const revisions = { "core-1.0": revision10, "core-0.11": revision011, "core-0.10": revision010 } as const;
const revisionOf = (name: string) => revisions[name as keyof typeof revisions];
const seeds = Array.from({ length: 20 }, (_, at) => at);

const factsOf = (store: Store) => listOf(replayFacts(store));

/** The accusations against rows, logs and keys. A hash may differ where others removed a member at the same time. */
function accusations(facts: readonly ReplayFact[]): readonly string[] {
  return facts.flatMap((fact) => {
    switch (fact.fact) {
      case "replayed":
      case "hash":
        return [];
      case "row": {
        const { status, kind, fields, key, operation } = fact;
        if (status === "proven" || status === "explained") return [];
        return [`${kind} ${status} ${fields} ${toHex(key.bytes)} by ${operation?.kind}`];
      }
      case "key":
        return fact.isEqual ? [] : ["another key"];
      default:
        return [fact.fact];
    }
  });
}

async function accused(site: Site): Promise<readonly string[]> {
  await using store = await writeSite(site);
  return accusations(await factsOf(store));
}

describe.each(Object.keys(revisions))("%s", (name) => {
  it.each(seeds)(
    "history %i: no row of any node is reported, whatever order its operations came in",
    async (seed) => {
      const history = new History(seed, revisionOf(name));
      history.run(60);
      for (const site of history.sites as readonly Site[]) {
        expect(site.applied).toHaveLength(history.made.length);
        expect(await accused(site), `node ${site.number}`).toEqual([]);
        const other = history.reordered(site.number, new Chance(seed + 1000));
        expect(await accused(other), `node ${site.number} in another order`).toEqual([]);
      }
    },
  );
});

describe("operations that do not touch each other's rows", () => {
  it.each(Object.keys(revisions))(
    "%s: nodes have the same rows whatever the order, and operations account for each",
    async (name) => {
      for (const seed of seeds.slice(0, 5)) {
        const { history, founder, others } = fourNodes(revisionOf(name), { seed });
        for (const [at, site] of others.entries())
          for (const member of history.others.slice(2 * at, 2 * at + 2)) {
            const on = { group: history.namespace };
            history.make(site, {
              ...on,
              op: { kind: "MemberAdded", member: fromHex(member), role: "ReadOnly" },
            });
            history.make(site, {
              ...on,
              op: { kind: "MemberCapabilitySet", member: fromHex(member), capabilities: 3 + at },
            });
          }
        history.receive(founder, history.made.length);
        const other = history.reordered(0, new Chance(seed));
        expect(other.applied.map(({ id }) => id)).not.toEqual(founder.applied.map(({ id }) => id));
        expect(rowsByKey(other)).toEqual(rowsByKey(founder));
        for (const site of [founder, other]) {
          await using store = await writeSite(site);
          const facts = await factsOf(store);
          expect(accusations(facts)).toEqual([]);
          expect(facts.filter((fact) => fact.fact === "row" && fact.writer === "order")).toEqual([]);
        }
      }
    },
  );
});

const rowsByKey = ({ rows }: Site) =>
  new Map(rows.all().map(({ kind, ids, value }) => [`${kind} ${ids}`, value]));

describe("operations on one row that were made at the same time", () => {
  it.each(Object.keys(revisions))("%s: no node is accused; the order explains one of them", async (name) => {
    const history = new History(7, revisionOf(name), 3);
    const [founder] = history.sites as [Site];
    history.join(1, founder);
    history.join(2, founder);
    const [, bob, carol] = history.sites as [Site, Site, Site];
    for (const site of [founder, bob, carol]) history.receive(site, history.made.length);
    history.make(bob, { op: { kind: "AdminChanged", newAdmin: fromHex(bob.actor.id) } });
    history.make(carol, { op: { kind: "AdminChanged", newAdmin: fromHex(carol.actor.id) } });
    // Each of the two applied its own first.
    for (const site of [bob, carol]) history.receive(site, 1);
    const writers = await Promise.all([bob, carol].map(metaWriter));
    expect(await Promise.all([bob, carol].map(accused))).toEqual([[], []]);
    // Each node is known to have applied its own operation first, so the other one's is the last.
    expect(writers).toEqual(["proven undefined", "proven undefined"]);
    const results = new Set<string>();
    for (const first of [0, 1]) {
      const site = history.reordered(0, new Chance(1));
      const [one, other] = history.made.slice(-2) as [Made, Made];
      for (const made of first === 0 ? [one, other] : [other, one]) site.apply(made);
      results.add(await metaWriter(site));
    }
    expect(results).toEqual(new Set(["proven undefined", "explained order"]));
  });
});

/** The verdict about the row of the namespace. */
async function metaWriter(site: Site): Promise<string> {
  await using store = await writeSite(site);
  const facts = await factsOf(store);
  const meta = facts.find((fact) => fact.fact === "row" && fact.kind === "GroupMeta");
  return meta?.fact === "row" ? `${meta.status} ${meta.writer}` : "none";
}

describe.each(Object.keys(revisions))("%s: a member's row of a history", (name) => {
  it.each(seeds.slice(0, 8))("history %i: is missed when it is dropped or altered", async (seed) => {
    const history = new History(seed, revisionOf(name));
    history.run(40);
    const site = history.sites[seed % 4] as Site;
    const chance = new Chance(seed);
    for (const kind of ["GroupMember", "GroupMeta", "GroupContextIndex"]) {
      const rows = site.rows.of(kind);
      if (rows.length === 0) continue;
      const { ids, value } = chance.pick(rows);
      const before = accusations(await factsOf(await writeSite(site)));
      site.rows.delete(kind, ...ids);
      expect((await accused(site)).length, `${kind} dropped`).toBeGreaterThan(before.length);
      if (value !== null) {
        site.rows.set(kind, ids, value);
        if (kind === "GroupMeta")
          site.rows.change(kind, ids, { adminIdentity: new Uint8Array(32).fill(0xee) });
        else
          site.rows.change(kind, ids, {
            role: (value as { readonly role: string }).role === "Admin" ? "ReadOnly" : "Admin",
          });
        expect((await accused(site)).length, `${kind} altered`).toBeGreaterThan(before.length);
      }
      site.rows.set(kind, ids, value);
    }
  });
});
