/** No false alarm about the state after deltas: three real nodes with richer applications, at several moments. */
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/index.js";
import { ruleOf, verifyStore } from "../../src/verify/index.js";
import { appsDatabase, appsMoments } from "../support/apps.js";
import { listOf } from "../support/lists.js";

const rules = ["state-from-deltas", "base-hash"].map(ruleOf);

describe.each(appsMoments)("$name", ({ name }) => {
  it("has the states that its deltas lead to, and its checkpoints say", async () => {
    using database = appsDatabase(name);
    await using store = await openStore(database.path);
    const verification = verifyStore(store, { rules });
    const messages = (await listOf(verification)).map(({ severity, message }) => `${severity} ${message}`);
    const expected = "info not checked: later deltas wrote over data of the state that was taken over";
    expect(messages.filter((text) => text !== expected)).toEqual([]);
    const { rules: summaries } = await verification.summary();
    for (const { rule, checked } of summaries) expect(checked, rule).toBeGreaterThan(0);
  });
});

it("says of how many deltas nothing tells what their authors saw", async () => {
  using database = appsDatabase("parted-n3");
  await using store = await openStore(database.path);
  const found = await listOf(verifyStore(store, { rules: [ruleOf("delta-names-what-it-saw")] }));
  const others = found.filter(({ severity }) => severity !== "warning");
  expect(others.map(({ severity, message }) => `${severity} ${message.replace(/:[^:]*$/, "")}`)).toEqual([
    "info not checked: 7 of 82 deltas",
    "info not checked: 91 of 112 deltas",
  ]);
});
