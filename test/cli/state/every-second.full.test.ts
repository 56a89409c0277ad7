import { describe, expect, it } from "vitest";
import { fixturePath } from "../../support/fixtures.js";
import { played } from "../run.js";

const database = fixturePath("core-0.11/node-a/db");

describe("state --at", () => {
  it("takes a second as it is printed, and calls a time proven only if its state is that of the last delta's author", async () => {
    const printed = await played(0, "state", database, "lobby", "--at", "2026-11-21 05:51:20 UTC", "--json");
    const { at, state, verdict } = JSON.parse(printed.stdout);
    expect(at.position).toBeGreaterThan(20);
    expect(Object.keys(state.items).length).toBeGreaterThan(19);
    expect(verdict).toBe("proven");
    const verdicts = new Set<string>();
    for (let second = 20; second < 60; second += 3) {
      const time = `2026-11-21T05:51:${second}Z`;
      const { stdout } = await played(0, "state", database, "lobby", "--at", time, "--json");
      const found = JSON.parse(stdout);
      verdicts.add(found.verdict);
      const ofDelta = await played(0, "state", database, "lobby", "--at", `${found.at.position}`, "--json");
      const isSame = JSON.parse(ofDelta.stdout).rootHash === found.rootHash;
      expect(found.verdict === "unknown").toBe(!isSame);
    }
    expect(verdicts).toContain("proven");
  });
});
