import { describe, expect, it } from "vitest";
import { fixturePath } from "../../support/fixtures.js";
import { played } from "../run.js";

const db = fixturePath("core-0.11/node-a", "db");

describe("the status of a node", () => {
  it("shows at least four digits of each id, on terminals of any width", async () => {
    for (let width = 40; width < 130; width += 12) {
      const { stdout } = await played(width, "status", db, "--utc");
      // A name can be cut anywhere; a bracket keeps the first digits of an id.
      expect({ width, cut: stdout.match(/\([0-9a-f]{0,3}…/g) }).toEqual({ width, cut: null });
      expect(stdout).toMatch(/^lobby \(b875[0-9a-f]*\)/m);
    }
  });
});
