/** Times beyond the calendar are shown as the exact numbers in the rows. */
import { expect, it } from "vitest";
import { CalimeroNode, openNode, sentenceText } from "../../src/node/index.js";
import { openStore } from "../../src/store/index.js";
import { fixturePath } from "../support/fixtures.js";
import { listOf } from "../support/lists.js";

it("near the largest u64, of milliseconds and of seconds", async () => {
  await using store = await openStore(fixturePath("core-0.11/tables", "db"));
  const node = new CalimeroNode(store);
  const context = "4e209ca5b8c60a3f66e3fe4d7a6894e2885f7fb498d393243303c67c360b6275";
  const { markers } = (await node.context(context)) ?? {};
  expect(markers?.[0]).toEqual({ marker: "left", value: "18446744073709551615 ms" });
  const group = "b5f21b7a6a4b754104871201a3df811b649f7e72c55cb9a3569eaf5eadabdf96";
  const history = await listOf(node.history(group));
  const said = history.map(({ sentence }) => sentenceText(sentence, ({ id }) => id));
  expect(said.filter((one) => one.includes(" at 18446744073709551610000 ms"))).toHaveLength(1);
});

it("of groups are Infinity where no number of milliseconds is exact", async () => {
  await using node = await openNode(fixturePath("core-0.11/tables", "db"));
  const group = "e22160c08fcb688548ea8757783c43c98f6e2890599ab497a54e108f5817b309";
  expect((await node.groupDetails(group))?.upgrade?.initiatedAt).toBe(Number.POSITIVE_INFINITY);
});
