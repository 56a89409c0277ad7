/** A database that lost a delta's row: nothing tells what its followers follow through it. */
import { expect, it } from "vitest";
import { toHex } from "../../src/bytes/hex.js";
import * as key from "../../src/keys/index.js";
import { core011 } from "../../src/schemas/index.js";
import { type Finding, ruleOf, verifyStore } from "../../src/verify/index.js";
import { listOf } from "../support/lists.js";
import { inMemory, rowsOf } from "./altered.js";

it("accuses no author of deltas that its delta can follow through one that is lost", async () => {
  const store = await inMemory("core-0.11/node-a", core011);
  const [lost] = await rowsOf(store, key.ContextDagDelta, ({ key: { deltaId } }) =>
    toHex(deltaId).startsWith("84e23b49"),
  );
  const rules = [ruleOf("delta-names-what-it-saw")];
  const find = async (): Promise<readonly Finding[]> => {
    return listOf(verifyStore(store, { rules, context: lost.key.contextId }));
  };
  const accused = (found: readonly Finding[]) => found.filter(({ severity }) => severity !== "info");
  const whole = accused(await find());
  expect(whole).toHaveLength(3);
  await store.delete(lost.key);
  const found = await find();
  expect(accused(found)).toEqual(whole);
  expect(found.map(({ message }) => message)).toContain(
    "not checked: 59 of 154 deltas: a delta that is not there can follow what their authors had applied",
  );
});
