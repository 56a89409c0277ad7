/** The differing parts of two states, in the order of a single state. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fixturePath } from "../../../test/support/fixtures.js";
import { Database } from "../src/worker/database/database.js";
import { compareTexts } from "../src/worker/database/order.js";
import { bothStates } from "../src/worker/state/both-states.js";

function open(name: string): Promise<Database> {
  const path = fixturePath(name, "db");
  const files = readdirSync(path).map((file) => ({
    path: `db/${file}`,
    file: new File([readFileSync(join(path, file))], file),
  }));
  return Database.open({ from: "folder", name: "db", files });
}

it("entries of a map that differ stand in the order in which people count", async () => {
  const a = await open("core-0.11-apps/healed-n2");
  const b = await open("core-0.11-apps/parted-n3");
  let maps = 0;
  for (const { context } of await a.node.contextFacts()) {
    const { parts } = await bothStates(a, b, context.id);
    const mapOf = (key: string): string => key.slice(0, key.indexOf('["') + 1);
    for (const map of new Set(parts.map(({ key }) => mapOf(key)))) {
      const texts = parts.map(({ key }) => key).filter((key) => map !== "" && mapOf(key) === map);
      if (texts.length > 1) maps++;
      expect(texts).toEqual(texts.toSorted(compareTexts));
    }
  }
  expect(maps).toBeGreaterThan(3);
});
