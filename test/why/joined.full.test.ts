/** A node that joined with a snapshot beside one that lags, in random histories of core-1.0. */
import { expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import { applicationStateId, collectionId } from "../../src/digests/index.js";
import { CalimeroNode } from "../../src/node/index.js";
import type { Action } from "../../src/payloads/index.js";
import { verifyStore } from "../../src/verify/index.js";
import { whyDiffer } from "../../src/why/index.js";
import {
  CONTEXT,
  checkpointRow,
  deltaRow,
  history,
  itemId,
  type MadeDelta,
  metaRow,
  rowsAfter,
  setItem,
  setTitle,
  storeWith,
} from "../state/replay/made-deltas.js";
import { randomNumbers } from "../support/random-values.js";

const USED = [CONTEXT, applicationStateId(), collectionId("items")].map(toHex);
const first: MadeDelta = {
  number: 1,
  actions: history[0]?.actions.filter(({ id }) => USED.includes(toHex(id))) ?? [],
};

/** The second of a change. The first delta made its fields before it. */
const secondOf = (number: number): number => 3_000_100 + number;

/** Deltas of three authors, who learn of each other's now and then. */
class History {
  readonly deltas: MadeDelta[] = [first];
  /** The numbers of a delta and of all that it follows. */
  readonly #known = new Map<number, ReadonlySet<number>>([[1, new Set([1])]]);
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomNumbers(seed);
    const heads: (readonly number[])[] = [[1], [1], [1]];
    for (let number = 2; number <= 6 + this.below(8); number++) {
      const author = this.below(3);
      let parents = heads[author] as readonly number[];
      if (this.below(2) === 0) parents = this.heads([...parents, ...(heads[this.below(3)] ?? [])]);
      heads[author] = [number];
      const known = new Set(parents.flatMap((one) => [...this.#of(one)]));
      this.#known.set(number, new Set([...known, number]));
      this.deltas.push({ number, parents, actions: this.#actions(number, known), author: 0xa0 + author });
    }
  }

  below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  /** The deltas that a node could have: some with all that they follow. */
  some(): ReadonlySet<number> {
    const tips = Array.from({ length: 1 + this.below(3) }, () => 1 + this.below(this.deltas.length));
    return new Set([1, ...tips.flatMap((tip) => [...this.#of(tip)])]);
  }

  among(numbers: ReadonlySet<number>): readonly MadeDelta[] {
    return this.deltas.filter(({ number }) => numbers.has(number));
  }

  heads(numbers: Iterable<number>): readonly number[] {
    const all = [...new Set(numbers)];
    return all.filter((one) => !all.some((other) => other !== one && this.#of(other).has(one)));
  }

  #of(number: number): ReadonlySet<number> {
    return this.#known.get(number) ?? new Set();
  }

  #actions(number: number, known: ReadonlySet<number>): readonly Action[] {
    const made = new Map<string, bigint>();
    const actions: Action[] = [];
    const put = (action: Extract<Action, { data: Uint8Array }>): void => {
      const createdAt = made.get(toHex(action.id));
      const kind = createdAt === undefined ? "Add" : "Update";
      const metadata = { ...action.metadata, createdAt: createdAt ?? action.metadata.createdAt };
      made.set(toHex(action.id), metadata.createdAt);
      actions.push({ ...action, kind, metadata });
    };
    for (const { id, ...action } of this.among(known).flatMap((delta) => delta.actions))
      if (action.kind === "DeleteRef") made.delete(toHex(id));
      else if (!made.has(toHex(id))) made.set(toHex(id), action.metadata.createdAt);
    const second = secondOf(number);
    for (let left = 1 + this.below(2); left > 0 || actions.length === 0; left--) {
      const name = "abcde"[this.below(5)] as string;
      const item = setItem(name, `v${number}`, second) as Extract<Action, { kind: "Add" }>;
      const what = this.below(4);
      if (what < 2) put(item);
      else if (what === 2) put(setTitle(`t${number}`, BigInt(second) << 32n, second) as typeof item);
      else if (made.delete(toHex(itemId(name)))) {
        const { id, metadata } = item;
        actions.push({ kind: "DeleteRef", id, deletedAt: metadata.updatedAt, metadata });
      }
    }
    return actions;
  }
}

it("what each lacks is named, every row has a cause, and no node is called wrong", async () => {
  const counts = { snapshot: 0, behind: 0, ahead: 0, both: 0 };
  for (let seed = 1; seed <= 40; seed++) {
    const made = new History(seed);
    const [ofA, base] = [made.some(), made.some()];
    const ofB = new Set([...base, ...(made.below(2) ? made.some() : []), ...(made.below(2) ? ofA : [])]);
    const { rows } = await rowsAfter(CONTEXT, made.among(ofA));
    const taken = await rowsAfter(CONTEXT, made.among(base));
    const whole = await rowsAfter(CONTEXT, made.among(ofB));
    await using a = await storeWith(rows);
    await using b = await storeWith([
      ...whole.rows.filter(({ column }) => column === "State"),
      ...made.heads(base).map((number) => checkpointRow(CONTEXT, number, taken.rootHash)),
      ...made.among(ofB).flatMap((delta) => (base.has(delta.number) ? [] : deltaRow(CONTEXT, delta))),
      metaRow(CONTEXT, whole.rootHash, made.heads(ofB)),
    ]);
    const sources = [
      { name: "A", reader: a, node: new CalimeroNode(a) },
      { name: "B", reader: b, node: new CalimeroNode(b) },
    ];
    const [answer] = await whyDiffer(sources, { context: toHex(CONTEXT) });
    const { verdict, sentence, unexplained } = answer?.pairs[0] ?? {};
    const story = `${seed}: ${sentence}`;
    expect(unexplained, story).toEqual([]);
    const [lacksA, lacksB] = [[...ofB].some((one) => !ofA.has(one)), [...ofA].some((one) => !ofB.has(one))];
    const wanted = lacksA ? (lacksB ? "both" : "behind") : lacksB ? "ahead" : "snapshot";
    expect({ verdict, story }).toEqual({ verdict: wanted, story });
    counts[wanted]++;
    for (const store of [a, b])
      for await (const { rule, severity, message } of verifyStore(store))
        if (rule === "state-from-deltas" || rule === "base-hash")
          expect(severity, `${story}: ${message}`).toBe("info");
  }
  expect(counts).toEqual({ snapshot: 14, behind: 17, ahead: 3, both: 6 });
});
