/** Verdicts on states of core-1.0, whose deltas carry no hash: the evidence that agrees with them or proves them. */
import { describe, expect, it } from "vitest";
import { concat } from "../../../src/bytes/concat.js";
import { fromHex, toHex } from "../../../src/bytes/hex.js";
import type { WriteOperation } from "../../../src/engine/engine.js";
import type { Action } from "../../../src/payloads/index.js";
import { parseRecord, type RecordedRoot, readReplay } from "../../../src/state/index.js";
import {
  CONTEXT,
  checkpointRow,
  deltaId,
  deltaRow,
  history,
  type MadeDelta,
  metaRow,
  rowsAfter,
  setItem,
  storeWith,
} from "./made-deltas.js";

const { rows, rootHash } = await rowsAfter(CONTEXT, history);
const context = toHex(CONTEXT);
const idOf = (number: number): string => toHex(deltaId(number));

/** Positions in short: verdict, then each witness. */
async function verdictsOf(all: readonly WriteOperation[], record: readonly RecordedRoot[] = []) {
  await using store = await storeWith(all);
  const replay = await readReplay(store, CONTEXT, { record });
  return (await replay.positions()).map(({ verdict, witnesses }) =>
    [verdict, ...witnesses.map((one) => ("heads" in one ? `record ${one.heads.length}` : one.kind))].join(
      " ",
    ),
  );
}

/** The root hashes after the first deltas. */
const roots = await Promise.all(
  history.map(async (_, at) => toHex((await rowsAfter(CONTEXT, history.slice(0, at + 1))).rootHash)),
);

/** The root hash after the first deltas, as a watcher keeps it. */
function rootAfter(heads: readonly number[]): RecordedRoot {
  return { context, rootHash: roots[Math.max(...heads) - 1] as string, heads: heads.map(idOf) };
}

it("finds a delta by its first digits, even if 43 or 44 of them could be base58", async () => {
  const id = `${"9a3f7c".repeat(10)}5511`;
  const [first, second] = history.slice(0, 2).map((delta) => deltaRow(CONTEXT, delta));
  if (first === undefined || second === undefined) throw new Error("the history has no deltas");
  await using store = await storeWith([first, { ...second, key: concat(CONTEXT, fromHex(id)) }]);
  const replay = await readReplay(store, CONTEXT);
  for (const length of [8, 43, 44, 63, 64])
    expect((await replay.position(id.slice(0, length))).delta, `${length} digits`).toBe(id);
});

describe("states whose deltas carry no hash", () => {
  it("agree with the rows if all deltas lead to the node's root hash", async () => {
    expect(await verdictsOf(rows)).toEqual(history.map(() => "agrees rows"));
    const other = [...rows, metaRow(CONTEXT, fromHex(idOf(9)), [6])];
    expect(await verdictsOf(other)).toEqual([...history.slice(1).map(() => "unknown"), "differs rows"]);
  });

  it("are proven by a record of just this state, and agree with one of a later state", async () => {
    const record = [rootAfter([2]), rootAfter([4, 5])];
    expect(await verdictsOf(rows, record)).toEqual([
      "agrees record 1 rows",
      "proven record 1",
      "agrees record 2 rows",
      "agrees record 2 rows",
      "agrees record 2 rows",
      "agrees rows",
    ]);
    const all = [1, 2, 3, 4].map((number) => rootAfter([number]));
    const last = { context, rootHash: toHex(rootHash), heads: [idOf(6)] };
    const linear = await verdictsOf(rows, [...all, last]);
    expect(linear.filter((verdict) => verdict === "proven record 1")).toHaveLength(5);
  });

  it("differ where a record has another root hash; one of another context or of unknown deltas says nothing", async () => {
    const wrong = { ...rootAfter([3]), rootHash: idOf(9) };
    expect((await verdictsOf(rows, [wrong]))[2]).toBe("differs record 1");
    const others = [
      { ...wrong, context: idOf(8) },
      { ...wrong, heads: [idOf(77)] },
    ];
    expect(await verdictsOf(rows, others)).toEqual(history.map(() => "agrees rows"));
    // A node may write the hash before the heads.
    expect((await verdictsOf(rows, [wrong, rootAfter([3])]))[2]).toBe("proven record 1");
  });

  it("at a time and after the first deltas have the verdict of just that state", async () => {
    await using store = await storeWith(rows);
    const replay = await readReplay(store, CONTEXT, { record: [rootAfter([4, 5])] });
    // Deltas 4 and 5 do not follow each other: neither author had both.
    expect((await replay.position(5)).verdict).toBe("agrees");
    expect((await replay.position(new Date(1_790_000_005_999))).verdict).toBe("proven");
    expect((await replay.certaintyOfFirst(5)).verdict).toBe("proven");
    expect((await replay.certaintyOfFirst(4)).verdict).toBe("agrees");
    expect((await replay.certaintyOfFirst(0)).verdict).toBe("proven");
  });
});

describe("the state of a node that joined", () => {
  it("agrees with the checkpoint too, unless data from before the first delta is not known", async () => {
    const later = { number: 7, parents: [4], actions: [setItem("e", "fifth", 7)] };
    const linear = [...history.slice(0, 4), later];
    const joined = async (number: number, deltas: readonly MadeDelta[], all: readonly MadeDelta[]) => {
      const state = (await rowsAfter(CONTEXT, all)).rows.filter(({ column }) => column !== "Delta");
      const before = await rowsAfter(CONTEXT, history.slice(0, number));
      return [
        ...state,
        checkpointRow(CONTEXT, number, before.rootHash),
        ...deltas.map((delta) => deltaRow(CONTEXT, delta)),
      ];
    };
    expect(await verdictsOf(await joined(4, [later], linear))).toEqual(["agrees rows checkpoint"]);
    // Delta 4 overwrites an item, and the author of delta 5 lacks delta 4.
    const [, , , fourth, fifth, sixth] = history as [MadeDelta, MadeDelta, MadeDelta, ...MadeDelta[]];
    const rest = [fourth, fifth, sixth] as MadeDelta[];
    expect(await verdictsOf(await joined(3, rest, history))).toEqual([
      "agrees rows",
      "unknown",
      "agrees rows",
    ]);
  });
});

describe("the state of a node whose history lacks a delta after its checkpoint", () => {
  it("agrees with nothing: data of the lost delta is in the present rows, and seems to be older", async () => {
    const { rootHash: before } = await rowsAfter(CONTEXT, history.slice(0, 2));
    const state = rows.filter(({ column }) => column !== "Delta");
    const kept = history.filter(({ number }) => number > 2 && number !== 4);
    const joined = [
      ...state,
      checkpointRow(CONTEXT, 2, before),
      ...kept.map((delta) => deltaRow(CONTEXT, delta)),
    ];
    await using store = await storeWith(joined);
    const replay = await readReplay(store, CONTEXT);
    // Delta 4, which is lost, changed an item that the checkpoint has.
    await replay.moveToFirst(1);
    expect(replay.rootHash && toHex(replay.rootHash)).not.toBe(roots[2]);
    expect((await replay.positions()).map(({ verdict, unknown }) => unknown ?? verdict)).toEqual(
      kept.map(() => "no beginning"),
    );
    expect(await replay.certaintyOfFirst(0)).toMatchObject({ verdict: "unknown", unknown: "no beginning" });
    // With delta 4 the checkpoint is the base, and the rows agree.
    expect(await verdictsOf([...joined, deltaRow(CONTEXT, history[3] as MadeDelta)])).toContain(
      "agrees rows",
    );
  });
});

describe("a state with a merge that only the application knows", () => {
  it("is not known until a delta follows both writes", async () => {
    const custom = (value: string, second: number): Action => {
      const { metadata, ...action } = setItem("a", value, second) as Extract<Action, { kind: "Add" }>;
      return { ...action, metadata: { ...metadata, crdtType: { kind: "Custom", typeId: 7n } } };
    };
    const deltas = [
      ...history.slice(0, 3),
      { number: 4, actions: [custom("one", 4)] },
      { number: 5, parents: [3], actions: [custom("other", 5)], author: 0xb0 },
      { number: 6, parents: [4, 5], actions: [setItem("b", "later", 6)] },
      { number: 7, actions: [custom("merged", 7)] },
    ];
    const merged = await rowsAfter(CONTEXT, deltas);
    await using store = await storeWith(merged.rows);
    const positions = await (await readReplay(store, CONTEXT)).positions();
    expect(positions.map(({ verdict, unknown }) => unknown ?? verdict)).toEqual([
      ...Array(5).fill("agrees"),
      "merge",
      "agrees",
    ]);
  });
});

describe("a record", () => {
  const line = (root: RecordedRoot): string => JSON.stringify({ time: "2026-11-26T12:00:00.000Z", ...root });

  it("is read without a line that was cut, and is refused with another one", async () => {
    const root = rootAfter([2]);
    const whole = line(root);
    expect(parseRecord(`${whole}\n${whole.slice(0, -9)}`)).toEqual([root]);
    expect(parseRecord(`${whole.slice(0, 40)}\n${whole}\n`)).toEqual([root]);
    expect(() => parseRecord('{"context":"b875"}\n')).toThrow("line 1 of the record");
    expect(() => parseRecord(`${whole}\nnotes\n`)).toThrow("line 2 of the record");
  });
});
