/** Random histories of valid operations: whatever causal order a node had them in, its rows are what they lead to. */
import { describe, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { type ReplayFact, replayFacts } from "../../../src/node/replay/index.js";
import type { Store } from "../../../src/store/index.js";
import { revision010 } from "./history-010.js";
import { revision011 } from "./history-011.js";
import { Chance, History, type Site, writeSite } from "./history-writer.js";

const revisions = { "core-0.11": revision011, "core-0.10": revision010 } as const;
const revisionOf = (name: string) => revisions[name as keyof typeof revisions];
const seeds = Array.from({ length: 20 }, (_, at) => at);

async function factsOf(store: Store): Promise<readonly ReplayFact[]> {
  const facts: ReplayFact[] = [];
  for await (const fact of replayFacts(store)) facts.push(fact);
  return facts;
}

/** What is said against rows, logs and keys. A hash may differ where others removed a member at the same time. */
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
  it.each(seeds)("history %i: nothing is accused, on any node, in any order", async (seed) => {
    const history = new History(seed, revisionOf(name));
    history.run(60);
    for (const site of history.sites as readonly Site[]) {
      expect(site.applied).toHaveLength(history.made.length);
      expect(await accused(site), `node ${site.number}`).toEqual([]);
      const other = history.reordered(site.number, new Chance(seed + 1000));
      expect(await accused(other), `node ${site.number} in another order`).toEqual([]);
    }
  });
});
