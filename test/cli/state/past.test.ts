/** The application's data at a moment, who wrote it, and since when. */
import { describe, expect, it } from "vitest";
import { fixturePath } from "../../support/fixtures.js";
import { linesOf, played } from "../run.js";

const database = fixturePath("core-0.11/node-a/db");
const ROOT = "4479f0121a3c23de930365820242eadae9310607de5426e00e853ba5011ba227";

describe("state --at", () => {
  it("shows the data of then, its root hash, and that it is proven", async () => {
    const { stdout } = await played(0, "state", database, "lobby", "--at", "20", "--utc", "--limit", "2");
    expect(linesOf(stdout).slice(1, 7)).toEqual([
      "as of delta 20 of 155 (fb56c6d85b0c8f7d17c39584985ae8528479707c431f977ebfa4c26af291143a), 2026-11-21 05:51:20 UTC",
      `root hash ${ROOT}`,
      "proven: it has the root hash of the delta's author",
      "items: 19 entries",
      '  "a1": "first 1"',
      '  "a2": "first 2"',
    ]);
    const byId = await played(0, "state", database, "lobby", "--at", "fb56c6d8", "--json");
    expect(JSON.parse(byId.stdout)).toMatchObject({
      at: { position: 20, of: 155, time: "2026-11-21T05:51:20.894Z" },
      rootHash: ROOT,
      verdict: "proven",
      state: { items: { a19: "first 19" } },
    });
    const byTime = await played(0, "state", database, "lobby", "items.a3", "--at", "2026-11-21T05:51:30Z");
    expect(byTime.stdout).toBe('"first 3"\n');
    expect(byTime.stderr).toContain(
      "as of delta 52 of 155 (9295d9fe0e02d6ba22201be33d183fec0393dd8294a4a88d6f18f36a85ba1cba)",
    );
  });

  it("takes no operation of a group for a delta", async () => {
    for (const command of ["state", "contexts"])
      expect(await played(0, command, database, "lobby", "--at", "operation 28")).toMatchObject({
        status: 2,
        stdout: "",
        stderr: expect.stringContaining("operation 28 is in the log of a group"),
      });
  });

  it("means the end of the day, the minute or the second that is named", async () => {
    const positionAt = async (typed: string): Promise<number> =>
      JSON.parse((await played(0, "state", database, "lobby", "--at", typed, "--json")).stdout).at.position;
    for (const [typed, end] of [
      ["2026-11-21T05:51:20Z", "2026-11-21T05:51:20.999Z"],
      ["2026-11-21T05:51Z", "2026-11-21T05:51:59.999Z"],
      ["2026-11-21 05:51 UTC", "2026-11-21T05:51:59.999Z"],
      ["2026-11-21T07:51:20+02:00", "2026-11-21T05:51:20.999Z"],
      ["2026-11-21", "2026-11-21T23:59:59.999"],
    ] as const)
      expect(await positionAt(typed), typed).toBe(await positionAt(end));
    expect(await positionAt("2026-11-21")).toBe(155);
    expect(await positionAt("2026-11-21T05:51:20.894Z")).toBe(20);
  });

  it("shows what changed until another moment, with the delta of each change", async () => {
    const { stdout } = await played(0, "state", database, "lobby", "--at", "20", "--diff", "22");
    expect(linesOf(stdout).slice(3)).toEqual(['> items["a20"] = "first 20"', '> items["a21"] = "first 21"']);
    const json = await played(0, "state", database, "lobby", "--at", "20", "--diff", "21", "--json");
    expect(linesOf(json.stdout).map((line) => JSON.parse(line))).toEqual([
      {
        context: "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443",
        from: {
          at: expect.objectContaining({ position: 20, of: 155 }),
          rootHash: ROOT,
          verdict: "proven",
          witnesses: [{ kind: "author" }],
        },
        to: {
          at: expect.objectContaining({ position: 21 }),
          rootHash: expect.any(String),
          verdict: "proven",
          witnesses: [{ kind: "author" }],
        },
        entryCount: 1,
        uncompared: [],
        uncomparedCount: 0,
      },
      {
        path: 'items["a20"]',
        before: null,
        after: "first 20",
        delta: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
  });

  it("says in plain words what proves both moments, and in JSON what was not compared", async () => {
    const text = await played(0, "state", database, "lobby", "--at", "50", "--diff", "53", "--utc");
    expect(linesOf(text.stdout).slice(0, 2)).toEqual([
      "from delta 50 of 155 (16bfb6bbe2256c84752c3314e680014eade804c63e81d372996a7ff93d35d0da), 2026-11-21 05:51:29 UTC; proven: it has the root hash of the delta's author, who had applied 1 delta that it does not name",
      "to   delta 53 of 155 (917d28ab4d9eb74ac08ea292cd5a5fde1c040e583bc300196e2b8e291c5d7ec0), 2026-11-21 05:51:47 UTC; proven: it has the root hash of the delta's author",
    ]);
    const joined = fixturePath("core-0.11/node-b/db");
    const json = await played(0, "state", joined, "b875f1c0", "--at", "1", "--diff", "3", "--json");
    const [head] = linesOf(json.stdout).map((line) => JSON.parse(line));
    expect(json.status).toBe(1);
    expect(head).toMatchObject({ uncompared: expect.any(Array), uncomparedCount: 3 });
    expect(head.uncompared[0].why).toContain("first moment: the entry has no data; second moment: the entry");
  });

  it("shows the state of a checkpoint, also where it is the only head", async () => {
    const joined = fixturePath("core-0.11/node-b/db");
    const [id, root] = [
      "184a0e65a959fb40f354c826cc77d2bc8b03086349a79c3c289fddf4e8a6d7f5",
      "84d190b1c011aeeb9bb5558b37669cc85a6fb5c3395144a673bc846c9dd0c856",
    ];
    const text = await played(0, "state", joined, "8d587abf", "--at", id);
    expect(linesOf(text.stdout).slice(1)).toEqual([
      `as of checkpoint ${id}`,
      `root hash ${root}`,
      "proven: it has the root hash of the checkpoint",
      "items: 0 entries",
    ]);
    const json = await played(
      0,
      "state",
      joined,
      "8d587abf",
      "--at",
      `checkpoint ${id.slice(0, 8)}`,
      "--json",
    );
    expect(JSON.parse(json.stdout)).toMatchObject({
      at: { delta: id, position: 0, of: 0, time: null },
      rootHash: root,
      verdict: "proven",
    });
    const taken = fixturePath("core-0.11-apps/healed-n2/db");
    const { stdout } = await played(0, "state", taken, "season", "--at", "ed006cfb", "--diff", "3");
    expect(linesOf(stdout)[0]).toMatch(
      /^from checkpoint ed006cfb\w{56}; proven: it has the root hash of the ch/,
    );
    expect(stdout).toContain('> teams["red"] =');
  });

  it("refuses a text that is not a moment", async () => {
    for (const [typed, words] of [
      ["tomorrow", "tomorrow is not a moment"],
      ["0", "no delta 0"],
      ["156", "the context has the deltas 1 to 155, and no delta 156"],
      ["garbage 3", "garbage 3 is not a moment"],
      [
        "2020-01-01",
        "the database has no delta of the context from then or before; its oldest is of 2026-11-21T05:51:12.",
      ],
      ["9999", "no applied delta of the context begins with 9999; deltas have the numbers 1 to 155"],
      ["ffffffffff", "no applied delta of the context begins with ffffffffff"],
    ] as const) {
      const { stderr } = await played(2, "state", database, "lobby", "--at", typed);
      expect(stderr).toContain(words);
    }
    const taken = fixturePath("core-0.11-apps/healed-n2/db");
    for (const [context, typed, words] of [
      ["3520b062", "1", "no delta of the context, except checkpoints, which have no number"],
      ["season", "69", "the deltas 1 to 68 beside a checkpoint, which has no number, and no delta 69"],
    ] as const)
      expect((await played(2, "state", taken, context, "--at", typed)).stderr).toContain(words);
    for (const options of [["--blame"], ["--at", "3", "--diff", "4"]])
      expect((await played(2, "state", database, "lobby", "items.a3", ...options)).stderr).toContain(
        "take no path: they show all entries; for the history of one: merostore log DB CONTEXT --entry PATH",
      );
    const secret = await played(2, "state", database, "lobby", "--at", "3", "--reveal-secrets");
    expect(secret.stderr).toContain("--at and --blame cannot be used with --reveal-secrets");
    const alone = await played(2, "state", database, "lobby", "--diff", "3");
    expect(alone.stderr).toContain("--diff goes with --at");
  });
});

describe("state --blame", () => {
  it("names the author, the time and the delta of each entry", async () => {
    const { stdout } = await played(0, "state", database, "lobby", "--blame", "--json");
    const lines = linesOf(stdout).map((line) => JSON.parse(line));
    expect(lines).toHaveLength(148);
    expect(lines[0]).toEqual({
      path: 'items["a1"]',
      value: "first 1",
      delta: "fa186257da794a3dd4c298158cdcb955d2df9e861bd600ed3c35833bbc0e0c37",
      author: "7c23009770446b37123987b5ab817500a82c638b7a0788cf842c450b553ff13f",
      time: "2026-11-21T05:51:20.611Z",
    });
    const text = await played(0, "state", database, "lobby", "--blame", "--utc");
    expect(linesOf(text.stdout)[1]).toMatch(
      /^items\["a1"\] +"first 1" +this node +2026-11-21 05:51:20 UTC +fa186257da794a3dd4c298158cdcb955d2df9e861bd600ed3c35833bbc0e0c37$/,
    );
  });
});

describe("state --limit", () => {
  it("bounds what changed, and the entries of each collection", async () => {
    const diff = ["state", database, "lobby", "--at", "20", "--diff", "30", "--limit", "2"];
    const text = await played(0, ...diff);
    expect(linesOf(text.stdout).slice(3)).toEqual([
      '> items["a20"] = "first 20"',
      '> items["a21"] = "first 21"',
      "… 8 more differences",
    ]);
    const json = linesOf((await played(0, ...diff, "--json")).stdout);
    expect([json.length, json.at(-1)]).toEqual([4, '{"$more":true}']);
    expect(JSON.parse(json[0] as string)).toMatchObject({ entryCount: 10 });
    const blame = ["state", database, "lobby", "--blame", "--limit", "2"];
    const lines = linesOf((await played(0, ...blame)).stdout);
    expect([lines.length, lines.at(-1)]).toEqual([4, "… 146 more entries"]);
    const blamed = linesOf((await played(0, ...blame, "--json")).stdout);
    expect([blamed.length, blamed.at(-1)]).toEqual([3, '{"$more":true}']);
  });
});

describe("bisect", () => {
  it("finds the delta since which an entry has its value", async () => {
    const { stdout } = await played(0, "bisect", database, "lobby", 'items["a8"] = "first 8"', "--utc");
    expect(linesOf(stdout)).toEqual([
      "since delta 9 of 155 (d4fd15c09bd562f9eaa4388300cb9f796ff0d846e29cd157bcc15fa0b13211d6), 2026-11-21 05:51:20 UTC",
      "before  nothing (proven)",
      'after   "first 8" (proven)',
      "compared 10 states, of which all are proven",
    ]);
    const json = await played(0, "bisect", database, "lobby", "--entry", "items.a10", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      position: 11,
      of: 155,
      before: null,
      after: "first 10",
      proven: { before: true, after: true },
      compared: { states: 9, proven: 9 },
    });
  });

  it("cuts values to the width of a terminal, and shows them in a pipe and with --full", async () => {
    const { stdout } = await played(0, "bisect", database, "lobby", "--entry", "items", "--json");
    const { now } = JSON.parse(stdout) as { readonly now: object };
    const condition = `items = ${JSON.stringify(now)}`;
    const valuesOf = async (width: number, ...more: readonly string[]) => {
      const { stdout } = await played(width, "bisect", database, "lobby", condition, ...more);
      return /^before {2}(.*)\nafter {3}(.*)\ncompared /ms.exec(stdout)?.slice(1) ?? [];
    };
    for (const value of await valuesOf(60))
      expect(value).toMatch(/^\{"a1":"first 1",.{35}…\n {8}\(proven\)$/);
    const [, whole] = await valuesOf(0);
    expect(whole).toBe(`${JSON.stringify(now).slice(0, 2_000)}… (2,156 characters) (proven)`);
    const [, full = ""] = await valuesOf(60, "--full");
    expect(full.replaceAll(/\s/g, "")).toBe(whole?.replaceAll(/\s/g, ""));
  });

  it("says that no author had a state that it compared", async () => {
    const joined = fixturePath("core-0.11/node-b/db");
    const { stdout } = await played(0, "bisect", joined, "b875f1c0", "--entry", "items.b2");
    expect(linesOf(stdout).slice(1)).toEqual([
      "before  nothing (not proven)",
      'after   "zweiter 2" (not proven)',
      "compared 9 states, of which 4 are proven",
    ]);
  });

  it("says that something held before the first delta of a node that joined later", async () => {
    const joined = fixturePath("core-0.11/node-b/db");
    const { stdout, stderr } = await played(1, "bisect", joined, "b875f1c0", "--entry", "items.a1");
    expect(stdout).toBe("");
    expect(stderr).toContain("the condition held before the first delta that the database has: items.a1");
    const blame = await played(0, "state", joined, "b875f1c0", "--blame");
    expect(linesOf(blame.stdout).find((line) => line.startsWith('items["a1"]'))).toContain(
      "before the first delta",
    );
  });

  it("says that a condition does not hold now, and refuses a text that is not one", async () => {
    const not = await played(1, "bisect", database, "lobby", 'items["a8"] = "other"');
    expect(not.stderr).toContain(
      'the condition does not hold now: items["a8"] is "first 8"; log --entry lists its values until now',
    );
    const map = await played(1, "bisect", database, "lobby", "items = {}");
    expect(map.stderr).toMatch(/: items is \{"a1":"first 1",.{60,70}…; log --entry/);
    const long = await played(1, "bisect", database, "lobby", `${"a".repeat(60_000)} = 1`);
    expect(long.stderr).toMatch(/: a{79}… is nothing; /);
    const none = await played(2, "bisect", database, "lobby", "items.a8 = first");
    expect(none.stderr).toContain("a condition is a path, = and a value in JSON");
    expect((await played(2, "bisect", database, "lobby")).stderr).toContain("give a condition");
    for (const words of [["--entry", ""], ["--entry", "$"], ["$ = {}"]]) {
      const { stderr } = await played(2, "bisect", database, "lobby", ...words);
      expect(stderr).toContain("a condition is about the path of a field or an entry");
    }
  });
});
