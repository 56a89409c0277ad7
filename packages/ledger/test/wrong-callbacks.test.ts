/** Callbacks that return or throw something wrong: the errors are named, and nobody waits for ever. */
import { expect, it } from "vitest";
import { rejection } from "../../../test/support/rejection.js";
import type { PagePolicy } from "../src/index.js";
import { divergeOn } from "./merging/support.js";
import { pageTest, testLedger } from "./support.js";

it.each([[() => 5], [() => undefined], [() => "1"]])(
  "a permutation that does not return a bigint: %s",
  async (permutation) => {
    await using ledger = await testLedger({ format: { permutation: permutation as never } });
    await using page = await ledger.rootPage();
    const { message } = await rejection(page.put("key", new Uint8Array(100_000)), "INVALID_ARGUMENT");
    expect(message).toContain("the permutation of a ledger must return a bigint");
  },
);

pageTest.each<unknown>([undefined, null, 0, ""])(
  "a listener that throws %s: idle() rejects with it",
  async (page, thrown) => {
    using watcher = await page.watch({}, () => {
      throw thrown;
    });
    await page.put("key", "value");
    const outcome = await watcher.idle().then(
      () => "resolved",
      (error: unknown) => ({ error }),
    );
    expect(outcome).toEqual({ error: thrown });
  },
);

it("a policy with an unknown name is refused", async () => {
  await using ledger = await testLedger({});
  ledger.setConflictResolver(() => ({ policy: "last-one-wins", resolver: () => undefined }) as PagePolicy);
  await using first = await ledger.rootPage();
  await using second = await ledger.rootPage();
  await divergeOn([first, second], { key: "1" }, { key: "2" });
  const { message } = await rejection(first.waitForConflictResolution(), "INVALID_ARGUMENT");
  expect(message).toContain('unknown name "resolver"');
});
