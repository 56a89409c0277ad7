/** `why` and `diff` agree on contexts in which one row decides. */
import { expect, it } from "vitest";
import { concat } from "../../src/bytes/concat.js";
import { toHex } from "../../src/bytes/hex.js";
import { printSummary } from "../../src/cli/diff/summary.js";
import { Terminal } from "../../src/cli/output/terminal.js";
import { rowsOfStore } from "../../src/diff/index.js";
import type { WriteOperation } from "../../src/engine/engine.js";
import { CalimeroNode } from "../../src/node/index.js";
import { whyDiffer } from "../../src/why/index.js";
import { Sink } from "../cli/run.js";
import { CONTEXT, deltaId, history, metaRow, rowsAfter, storeWith } from "../state/replay/made-deltas.js";

const { rows: whole, rootHash } = await rowsAfter(CONTEXT, history);
const NAMES = ["A", "B"] as const;

/** Both answers about a node with all rows and a node with some changed rows. */
async function answers(...others: readonly WriteOperation[]) {
  await using a = await storeWith(whole);
  await using b = await storeWith([...whole, ...others]);
  const [reason] = await whyDiffer(
    [a, b].map((reader, at) => ({ name: NAMES[at] as string, reader, node: new CalimeroNode(reader) })),
    { context: toHex(CONTEXT) },
  );
  const out = new Sink();
  const terminal = new Terminal(out, new Sink());
  const { agree, isUnread } = await printSummary(terminal, rowsOfStore(a), rowsOfStore(b), {
    contextId: CONTEXT,
    onProgress: () => undefined,
    label: () => "one",
    sides: NAMES,
    json: false,
    utc: true,
  });
  await terminal.flush();
  const [pair] = reason?.pairs ?? [];
  const said = /^context one {2}(.*)$/m.exec(out.text)?.[1];
  return { why: reason?.sentence, diff: said, verdict: pair?.verdict, agree, isUnread, pair };
}

const meta = (hash: Uint8Array, ...heads: readonly number[]) => metaRow(CONTEXT, hash, heads);

it("one delta cannot be read, and the state is the same", async () => {
  const key = concat(CONTEXT, deltaId(6));
  const found = await answers({ type: "put", column: "Delta", key, value: Uint8Array.of(0xff) });
  const sentence = "the same state; 1 delta of B cannot be read";
  expect(found).toMatchObject({ why: sentence, diff: sentence, verdict: "unknown", isUnread: true });
});

it("one row of a context states another root hash than the rows of its state", async () => {
  const found = await answers(meta(new Uint8Array(32).fill(7), 6));
  const sentence =
    "B's row of ContextMeta states another root hash than its rows of State give; the states are the same";
  expect(found).toMatchObject({ why: sentence, diff: sentence, verdict: "diverged", agree: false });
  expect(found.pair).toMatchObject({ about: ["B"], unexplainedCount: 0, causes: [{ rule: "stated" }] });
});

it.each([
  ["one of the deltas before", [5], "; B still has the head 00000005, which delta 00000006 follows"],
  ["none", [], ""],
] as const)(
  "a node lists %s as a head, though it applied the last delta: that is expected",
  async (_, heads, remark) => {
    const found = await answers(meta(rootHash, ...heads));
    const why = `both have the same state and the same deltas${remark}`;
    expect(found).toMatchObject({ why, diff: "same", verdict: "equal", agree: true });
    expect(found.pair?.unexplainedCount).toBe(0);
  },
);

it("a node lists a head and lacks its delta", async () => {
  const found = await answers(meta(rootHash, 99));
  const sentence = "B's row of ContextMeta lists a head of which it has no delta; the states are the same";
  expect(found).toMatchObject({ why: sentence, diff: sentence, verdict: "diverged", agree: false });
  expect(found.pair?.unexplainedCount).toBe(0);
});
