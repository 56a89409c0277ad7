/** Values that are computed only once. */
import { expect, it } from "vitest";
import { once } from "../../src/node/tables/once.js";

it("computes again after a promise that was rejected, and not before", async () => {
  let calls = 0;
  const get = once(async () => {
    calls++;
    if (calls === 1) throw new Error("the file changed");
    return calls;
  });
  const first = get();
  expect(get()).toBe(first);
  await expect(first).rejects.toThrow("the file changed");
  expect(await get()).toBe(2);
  expect(await get()).toBe(2);
});

it("keeps what is undefined", () => {
  let calls = 0;
  const get = once(() => void calls++);
  get();
  get();
  expect(calls).toBe(1);
});
