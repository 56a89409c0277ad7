/** Deltas in the words of the application: `log --patch` and `show`. */
import { describe, expect, it } from "vitest";
import { appsDatabase, appsId, appsPath } from "../../support/apps.js";
import { fixturePath } from "../../support/fixtures.js";
import { linesOf, played } from "../run.js";

const NODE_A = fixturePath("core-0.11/node-a/db");
const NESTED = ["--abi", fixturePath("abi/core-0.11/nested-crdt-test.json"), "--utc"];

async function shown(width: number, ...words: readonly string[]): Promise<readonly string[]> {
  const { status, stdout, stderr } = await played(width, ...words);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return linesOf(stdout);
}

it("log shows the path of a key with a quotation mark as state accepts it", async () => {
  using copy = appsDatabase("upgraded-n1");
  const path = 'sorted_tags["q\\"uote7"]';
  const { stdout } = await played(0, "log", copy.path, "trees", "--limit", "12");
  expect(stdout).toContain(`set ${path} = "q\\"uote7", `);
});

describe("show of a delta", () => {
  it("names the key and the value that it sets", async () => {
    expect((await shown(160, "show", NODE_A, "31d66946", ...NESTED)).slice(1, 5)).toEqual([
      expect.stringMatching(/^ {6}~ metadata\["o"\]\["i1"\] = "z", written again, \d+ bytes$/),
      expect.stringMatching(/^ {6}~ metadata\["o"\], \d+ bytes$/),
      "      ~ the fields of the state (76767676), 224 bytes",
      "      ~ the root of the tree (a2a4613d), 32 bytes",
    ]);
  });

  it("names them as JSON too", async () => {
    const [line = ""] = await shown(0, "show", NODE_A, "31d66946", "--json", ...NESTED);
    const { changes, actions } = JSON.parse(line);
    expect(changes.map(({ entity }: { entity: string }) => entity)).toEqual(
      actions.map(({ entity }: { entity: string }) => entity),
    );
    expect(changes[0]).toEqual({
      kind: "set",
      entity: "1c8c1fc3828ec6e4920516bbb6f0a176476cdab6400d8b40b4387fd9988e78a1",
      path: 'metadata["o"]["i1"]',
      value: "z",
    });
  });

  it("needs no manifest for what the rows say", async () => {
    const lines = await shown(160, "show", NODE_A, "a89a4861", "--utc");
    expect(lines[1]).toMatch(/^ {6}~ registers\["r1"\] = "x", written again, \d+ bytes$/);
  });

  it("shows the events of others by name", async () => {
    const lines = await shown(160, "log", fixturePath("core-0.11/node-b/db"), "b875f1c0", "--patch");
    expect(lines).toContain('      ! Inserted {"key":"a30","value":"first 30"}');
    expect(lines.filter((line) => line.includes(", emitted Inserted"))).toHaveLength(1);
  });
});

describe("log --patch", () => {
  it("names what was deleted, though the newest delta is first", async () => {
    const db = fixturePath("core-0.10/node-b/db");
    const lines = await shown(160, "log", db, "1e75c022", "--patch");
    const at = lines.findIndex((line) => line.startsWith('      - items["'));
    expect(at).toBeGreaterThan(0);
    expect(lines.filter((line) => /^ {6}- [0-9a-f]{64}/.test(line))).toEqual([]);
  });

  it("does not show private data of core-0.10", async () => {
    const db = fixturePath("core-0.10/node-a/db");
    const abi = ["--abi", fixturePath("abi/core-0.10/private_data.json")];
    for (const words of [["--patch"], ["--patch", "--json"]]) {
      const { stdout } = await played(0, "log", db, "50294aa1", ...abi, ...words);
      expect(stdout).not.toMatch(/made-up secret|6d6164652d7570/);
    }
    const lines = await shown(160, "log", db, "50294aa1", ...abi, "--patch", "--utc");
    expect(lines.filter((line) => /^ {6}. private data/.test(line))).toHaveLength(2);
    expect(lines.some((line) => line.includes('+ games["g"] = "aa849542'))).toBe(true);
  });

  it.each([60, 120])("fits a terminal of %i columns", async (width) => {
    for (const line of await shown(width, "log", NODE_A, "a2a4613d", "--patch", ...NESTED))
      expect(line.length).toBeLessThanOrEqual(width);
  });
});

describe("log of a context, in words", () => {
  const scaffolding = ["--abi", appsPath("abi", "scaffolding-e2e.json"), "--utc"];

  async function logOf(context: string, ...words: readonly string[]): Promise<readonly string[]> {
    using database = appsDatabase("healed-n1");
    const lines = await shown(0, "log", database.path, appsId("contexts", context), ...words);
    // After the time, the id and the name of the author.
    return lines.map((line) =>
      line.replace(
        /^.*?(?:UTC|[+-]\d\d:\d\d)\s+[0-9a-f]{64}\s+(?:(?:[0-9a-f]{64}|.*?\([0-9a-f]{64}\)) )?/,
        "",
      ),
    );
  }

  it("names fields of the state and values around collections only where they changed", async () => {
    const lines = await logOf("trees", ...scaffolding);
    expect(lines.filter((line) => line.includes("file_owner") || line.includes("file_counter"))).toEqual([]);
    expect(lines.filter((line) => line.startsWith("changed nothing, "))).toHaveLength(8);
    expect(lines).toContainEqual(expect.stringMatching(/^changed shared_data, /));
    const teams = await logOf("season", "--abi", appsPath("abi", "team-metrics-custom.json"));
    expect(teams).toContainEqual(
      expect.stringMatching(/^set teams\["red"\]\.wins\["1143154f[0-9a-f]{56}"\] = "3", 1,139 bytes$/),
    );
    expect(teams.filter((line) => line.includes("{}"))).toEqual([]);
  });

  it("names a field where its register was written", async () => {
    const lines = await logOf("papers", "--abi", appsPath("abi", "blobs.json"));
    // The first delta has no author.
    expect(lines.map((line) => line.includes("set owner = "))).toEqual([false, false, false, true]);
  });

  it("shows what was typed and deleted at its place in the text", async () => {
    const lines = await logOf("trees", ...scaffolding);
    const edits = lines.flatMap(
      (line) => /^(?:inserted|deleted) "[^"]*" at \d+ in rga_document/.exec(line)?.[0] ?? [],
    );
    expect(edits).toEqual([
      'inserted "<12>" at 0 in rga_document',
      'inserted "[3R1é]" at 8 in rga_document',
      'deleted "[[" at 1 in rga_document',
      'inserted "[2A16é]" at 24 in rga_document',
      'deleted "<>" at 1 in rga_document',
      'deleted "3A" at 1 in rga_document',
      'inserted "[3A14é]" at 21 in rga_document',
      'inserted "[3A2é]" at 4 in rga_document',
      'inserted "[3A0é]" at 0 in rga_document',
      'deleted "14" at 1 in rga_document',
      'inserted "[1A15é]" at 4 in rga_document',
      'inserted "<14>" at 0 in rga_document',
    ]);
  });

  it("reads what was subtracted from a counter", async () => {
    const lines = await logOf("trees", ...scaffolding);
    expect(lines.filter((line) => line.includes("KeyMismatch"))).toEqual([]);
    expect(lines).toContainEqual(
      expect.stringMatching(/^set crdt_pn_counters\["p2"\]\["4f10e264[0-9a-f]{56}"\] = "-1", /),
    );
  });
});
