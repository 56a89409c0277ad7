/** A slice of `npm run test:faults -- replay`. */
import { expect, it } from "vitest";
import { importTypeScript } from "../../scripts/typescript.mjs";
import { fixturePath } from "../support/fixtures.js";

it("a falsified entity, a removed delta and another hash of an author are named with their delta", async () => {
  const { falsifyContexts } = await importTypeScript<typeof import("./replay.js")>("test/faults/replay.ts");
  const most = { entities: 4, deltas: 4, hashes: 1 };
  const { tried, named, misses, wrong } = await falsifyContexts(fixturePath(), most);
  expect(wrong).toEqual([]);
  expect(tried.entities).toBeGreaterThan(40);
  const { entities, deltas, hashes } = tried;
  expect(named.entities + named.deltas + named.hashes).toBe(entities + deltas + hashes - misses.length);
  expect(tried.deltas).toBeGreaterThan(30);
  expect(tried.hashes).toBeGreaterThan(10);
});
