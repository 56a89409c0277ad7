/** The search in all rows, and its end before its time. */
import { expect, it } from "vitest";
import { openNode } from "../../src/node/index.js";
import { fixturePath } from "../support/fixtures.js";

it("ends when its signal is aborted: no row more, and none is read after the chunk", async () => {
  await using node = await openNode(fixturePath("core-0.11/node-a", "db"));
  const over = new AbortController();
  const reads: number[] = [];
  let found = 0;
  for await (const _ of node.find("lobby", (rows) => reads.push(rows), over.signal)) {
    found++;
    over.abort();
  }
  expect(found).toBe(1);
  let all = 0;
  const whole: number[] = [];
  for await (const _ of node.find("lobby", (rows) => whole.push(rows))) all++;
  expect(all).toBeGreaterThan(1);
  expect(reads.length).toBeLessThan(whole.length);
});

it("finds nothing when its signal is aborted before", async () => {
  await using node = await openNode(fixturePath("core-0.11/node-a", "db"));
  for await (const hit of node.find("lobby", () => undefined, AbortSignal.abort()))
    expect(hit).toBeUndefined();
});
