/** The search in all rows, and its end before its time. */
import { expect, it } from "vitest";
import { openNode } from "../../src/node/index.js";
import type { Progress } from "../../src/progress.js";
import { fixturePath } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";

it("rejects with the reason when its signal is aborted: no row more, and none is read after the chunk", async () => {
  await using node = await openNode(fixturePath("core-0.11/node-a", "db"));
  const over = new AbortController();
  const reads: number[] = [];
  let found = 0;
  const reason = new Error("enough");
  const search = async () => {
    const onProgress = ({ done }: Progress) => void reads.push(done);
    for await (const _ of node.find("lobby", { onProgress, signal: over.signal })) {
      found++;
      over.abort(reason);
    }
  };
  await expect(search()).rejects.toBe(reason);
  expect(found).toBe(1);
  const whole: number[] = [];
  const all = await listOf(node.find("lobby", { onProgress: ({ done }) => whole.push(done) }));
  expect(all.length).toBeGreaterThan(1);
  expect(reads.length).toBeLessThan(whole.length);
});

it("rejects when its signal is aborted before", async () => {
  await using node = await openNode(fixturePath("core-0.11/node-a", "db"));
  const reason = new Error("enough");
  const hits = node.find("lobby", { signal: AbortSignal.abort(reason) });
  await expect(hits.next()).rejects.toBe(reason);
});
