import { expect, it } from "vitest";
import { fixturePath } from "../../support/fixtures.js";
import { cli, intoPipe, linesOf } from "../run.js";

const db = fixturePath("core-0.11/node-a", "db");

it("prints gauges in the text format of Prometheus", async () => {
  const { status, stdout } = await intoPipe("metrics", db);
  expect(status).toBe(0);
  const names = new Set<string>();
  for (const line of linesOf(stdout)) {
    const [, name] = /^# (?:HELP|TYPE) (merostore_[a-z_]+) (?:gauge$|[A-Z].*\.$)/.exec(line) ?? [];
    if (name !== undefined) names.add(name);
    else
      expect(line).toMatch(
        /^merostore_[a-z_]+(?:\{[a-z]+="(?:[^"\\]|\\.)*"(?:,[a-z]+="(?:[^"\\]|\\.)*")*\})? \d+$/,
      );
  }
  expect(names.size).toBe(12);
  expect(stdout).toContain('\nmerostore_rows{column="State"} 471\n');
  expect(stdout).toContain('merostore_findings{severity="warning"} 3\n');
  expect(stdout).toMatch(/^merostore_context_deltas\{context="b875f1c0[0-9a-f]{56}",name="lobby"\} 155$/m);
  expect(stdout).toMatch(/^merostore_context_seconds_since_change\{[^}]*name="lobby"\} \d+$/m);
});

it("has the same as JSON", async () => {
  const all = linesOf((await cli("metrics", db, "--json")).stdout).map((line) => JSON.parse(line) as object);
  expect(all).toHaveLength(12);
  expect(all[0]).toMatchObject({ name: "merostore_rows", samples: expect.any(Array) });
});
