/** A bundle for a report: its contents, what it leaves out, and that it opens as a database. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readStoredTables } from "../../src/engines/index.js";
import { openStore } from "../../src/store/index.js";
import { flipBit } from "../support/files.js";
import { copyOfDatabase, fixtureRows, temporaryFolder } from "../support/fixtures.js";
import { cli, linesOf } from "./run.js";

interface Report {
  readonly merostore: string;
  readonly revision: string;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  readonly logs: readonly { readonly name: string; readonly end: readonly string[] }[];
  readonly verify: { readonly verdict: string; readonly findings: readonly { readonly severity: string }[] };
}

const objectContaining = (fields: object): unknown => expect.objectContaining(fields);

const bundled = (...options: readonly string[]) => bundleOf("core-0.11/node-a", ...options);

const DATA_OF_1_0 = [
  "State",
  "Delta",
  "SortedIndex",
  "UnifiedOp",
  "SearchIndex",
  "SearchDirty",
  "SnapshotStage",
];

async function bundleOf(fixture: string, ...options: readonly string[]) {
  const copy = copyOfDatabase(fixture);
  const folder = temporaryFolder();
  writeFileSync(join(copy.path, "LOG"), `${"x".repeat(40_000)}\nDB at ${copy.path}\nthe end\n`);
  const file = join(folder.path, "report.ndjson.gz");
  const outcome = await cli("bundle", copy.path, "-o", file, ...options);
  const text = gunzipSync(readFileSync(file)).toString("utf8");
  const [head = "", ...rows] = linesOf(text);
  const { report } = JSON.parse(head) as { readonly report: Report };
  const columns = new Set(rows.slice(0, -1).map((row) => (JSON.parse(row) as { column: string }).column));
  const end = (): void => {
    copy[Symbol.dispose]();
    folder[Symbol.dispose]();
  };
  return { ...outcome, path: copy.path, file, text, report, columns, [Symbol.dispose]: end };
}

/** Changes a byte of a column family's table: in its first block, or behind a share of the file. */
async function damage(path: string, column: string, share = 0): Promise<void> {
  const table = (await readStoredTables(path)).find((one) => one.column === column);
  flipBit(join(path, table?.file ?? ""), share === 0 ? 20 : { share });
}

describe("bundle of a damaged database", () => {
  it("has the rows that can be read, and names what is missing", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    using folder = temporaryFolder();
    await damage(copy.path, "Delta", 0.5);
    const file = join(folder.path, "report.ndjson.gz");
    const { status, stderr } = await cli("bundle", copy.path, "--with-data", "-o", file);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^merostore: rows of Delta are missing: reading Delta failed: /m);
    const [head = "", ...rest] = linesOf(gunzipSync(readFileSync(file)).toString("utf8"));
    const { report } = JSON.parse(head) as { report: { missing: unknown } };
    const why = expect.stringMatching(/DB\/\d+\.sst .*damaged/);
    expect(report.missing).toEqual([{ column: "Delta", why }]);
    const { columns } = JSON.parse(rest.at(-1) ?? "") as { columns: Record<string, number> };
    expect(columns.State).toBe(471);
    expect(columns.Delta).toBeGreaterThan(50);
    expect(columns.Delta).toBeLessThan(219);
    expect((await cli("contexts", file)).status).toBe(0);
    const without = await cli("bundle", copy.path, "-o", join(folder.path, "without.ndjson.gz"));
    expect(without.status).toBe(0);
  });

  it("hides all data that may be private where damage hides which is", async () => {
    using copy = copyOfDatabase("core-0.10/node-a");
    using folder = temporaryFolder();
    const store = await openStore(copy.path, { writable: true });
    await store.flush();
    await store.close();
    await damage(copy.path, "PrivateState");
    const file = join(folder.path, "report.ndjson.gz");
    expect((await cli("bundle", copy.path, "--with-data", "-o", file)).status).toBe(1);
    const rows = linesOf(gunzipSync(readFileSync(file)).toString("utf8")).slice(1, -1);
    const ofState = rows.flatMap((row) => {
      const { column, value } = JSON.parse(row) as { column: string; value?: string };
      return column === "State" ? [value ?? "hidden"] : [];
    });
    expect(ofState.length).toBeGreaterThan(50);
    expect(new Set(ofState)).toEqual(new Set(["hidden"]));
  });
});

describe("bundle", () => {
  it("has verdicts, versions, files and the end of the log, and no data of applications", async () => {
    using made = await bundled();
    const { report, columns, stderr, status } = made;
    expect(status).toBe(0);
    expect(stderr).toContain("verify says of");
    expect(stderr).toContain("without the data of applications");
    expect(report).toMatchObject({
      revision: "core-0.11",
      verify: { verdict: "no errors, 3 warnings, 20 infos" },
    });
    expect(report.verify.findings.map(({ severity }) => severity).slice(0, 4)).toEqual(
      ["warning", "warning", "warning", "info"], // the severe ones first
    );
    expect(report.files.map(({ name }) => name)).toEqual(expect.arrayContaining(["CURRENT", "000013.sst"]));
    const [log] = report.logs;
    expect(log?.end.slice(-3)).toEqual(["DB at DB", "the end", ""]);
    expect(made.text).not.toContain(made.path);
    expect([...columns]).toEqual([
      ...["Meta", "Config", "Identity", "Blobs", "Application", "Alias", "Generic", "Group"],
      "ContextActivatedBlob",
    ]);
    for (const { column, key } of fixtureRows("core-0.11/node-a"))
      if (column === "SortedIndex") expect(made.text).not.toContain(key);
  });

  it("has no row of a family with data of applications that core-1.0 adds", async () => {
    using made = await bundleOf("core-1.0/every-kind");
    for (const column of DATA_OF_1_0) expect(made.columns).not.toContain(column);
    using whole = await bundleOf("core-1.0/every-kind", "--with-data");
    for (const column of DATA_OF_1_0) expect(whole.columns).toContain(column);
  });

  it("opens as a database, without secrets", async () => {
    using made = await bundled("--with-data");
    expect(made.columns).toContain("State");
    const names = await cli("contexts", made.file);
    expect({ status: names.status, lines: linesOf(names.stdout).length }).toEqual({ status: 0, lines: 8 });
    const [ofBundle, ofNode] = await Promise.all(
      [made.file, made.path].map((db) => cli("state", db, "lobby", "--json")),
    );
    expect(ofBundle?.stdout).toBe(ofNode?.stdout);
    const why = await cli("hash", made.path, made.file);
    expect(why.status).toBe(0);
    const secret = fixtureRows("core-0.11/node-a").find(({ kind }) => kind === "NodeIdentity");
    expect(made.text).not.toContain(secret?.value);
  });

  it("can be bundled again, with no errors for what it leaves out", async () => {
    using made = await bundled();
    const again = await cli("bundle", made.file, "-o", `${made.file}.again.gz`);
    expect(again.status).toBe(0);
    expect(again.stderr).toMatch(/verify says of .*: no errors, /);
  });

  it("warns that answers about what it leaves out are not about the node", async () => {
    using made = await bundled();
    const { stderr } = await cli("groups", made.file);
    expect(stderr).toContain("this export leaves out all rows of State, PrivateState, Delta,");
    expect(stderr).toMatch(
      /the rows without a value, .*NodeIdentity \(\d+\).*: answers about them are not about/,
    );
    const info = JSON.parse((await cli("status", "--rows", made.file, "--json")).stdout) as {
      warnings: { code: string; message: string }[];
    };
    expect(info.warnings).toEqual([
      { code: "ROWS_LEFT_OUT", message: expect.stringContaining("this export leaves out") },
    ]);
  });

  it("does not say that all rows of the node are known", async () => {
    using made = await bundled();
    const { stdout, status } = await cli("unknown", made.file);
    expect(stdout).toMatch(/^every row of the export is of a kind that core-0.11 has: /m);
    expect(status).toBe(3);
    expect((await cli("unknown", made.file, "--json")).status).toBe(3);
  });

  it("says unknown where an answer needs what it leaves out, and knows the members", async () => {
    using made = await bundled();
    for (const words of [
      ["why", made.path, made.file],
      ["why", made.path, made.file, "lobby"],
      ["diff", made.path, made.file],
      ["diff", made.path, made.file, "--by", "context"],
      ["hash", made.path, made.file],
      ["contexts", made.file],
      ["stuck", made.file],
      ["metrics", made.file],
      ["status", made.file],
    ]) {
      const { status, stdout, stderr } = await cli(...words);
      expect([words[0], status]).toEqual([words[0], 3]);
      expect(stdout + stderr).toMatch(/unknown: the (?:bundle|export) leaves out all rows of State, /);
      expect(stdout).not.toMatch(/diverged|nodes differ in|^the nodes agree/m);
    }
    const roles = await Promise.all(
      [made.file, made.path].map(async (db) =>
        linesOf((await cli("members", db, "office", "--json")).stdout).map((line) => {
          const { id, role } = JSON.parse(line) as { readonly id: string; readonly role: string };
          return `${id} ${role}`;
        }),
      ),
    );
    expect(roles[0]).toEqual(roles[1]);
    expect(roles[0]).toHaveLength(2);
  });

  it("does not know how much a context holds whose deltas and data it leaves out", async () => {
    using made = await bundled();
    const json = async (...words: readonly string[]) => {
      const { status, stdout } = await cli(...words, "--json");
      expect([words, status]).toEqual([words, 3]);
      return linesOf(stdout).map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const unknown = { deltas: null, rows: null, bytes: null };
    const lists = [await json("contexts", made.file), (await json("status", made.file))[0]?.contexts];
    for (const list of lists as object[][]) expect(list).toEqual(Array(7).fill(objectContaining(unknown)));
    for (const words of [
      ["contexts", made.file, "lobby"],
      ["show", made.file, "lobby"],
    ])
      expect((await json(...words)).slice(0, 1)).toEqual([
        objectContaining({
          ...{ ...unknown, privateState: null },
          identities: [objectContaining({ isOwn: false }), objectContaining({ isOwn: true })],
        }),
      ]);
    const view = `select "deltaCount" "deltas", "rowCount" "rows", bytes from contexts where context = 'lobby'`;
    expect(await json("sql", made.file, view)).toEqual([unknown]);
    for (const words of [["contexts"], ["contexts", "lobby"], ["show", "lobby"], ["status"]]) {
      const [name = "", ...rest] = words;
      const { stdout } = await cli(name, made.file, ...rest);
      expect(stdout).toContain("unknown");
      expect(stdout).not.toMatch(/\b0 (?:bytes|rows)|deltas +0/);
      if (rest.length > 0) expect(stdout).toMatch(/changed +unknown/);
    }
    const { stdout: csv } = await cli("contexts", made.file, "-o", "csv");
    expect(linesOf(csv)[1]).toMatch(/^[^,]*,unknown,unknown,unknown,unknown,/);
    const { stdout } = await cli("metrics", made.file);
    expect(stdout).not.toMatch(/context_deltas|column="(?:Delta|State|PrivateState)"/);
    expect(stdout).toContain('merostore_rows{column="Meta"} 7');
  });

  it.each([
    ["core-0.11/node-a", "root-hash"],
    ["core-0.11/node-a", "node-key", "--with-data"],
    ["core-0.10/node-b", "own-identity"],
    ["core-0.10/node-b", "own-identity", "--with-data"],
  ])(
    "is checked by the rules that need nothing of what it leaves out: %s, %s %s",
    async (of, rule, ...how) => {
      using made = await bundleOf(of, ...how.filter(Boolean));
      const lines = async (path: string) => linesOf((await cli("verify", path, "--json")).stdout);
      const [ofBundle, ofNode] = [[...(await lines(made.file))], await lines(made.path)];
      const { errors, rules } = JSON.parse(ofBundle.pop() ?? "") as {
        readonly errors: number;
        readonly rules: readonly {
          readonly rule: string;
          readonly skipped?: string;
          readonly checked: number;
        }[];
      };
      expect(errors).toBe(0);
      for (const line of ofBundle) expect(ofNode).toContain(line);
      expect(rules.find((one) => one.rule === rule)?.skipped).toMatch(/^unknown: the bundle leaves out /);
      expect(rules.find((one) => one.rule === "context-config")).not.toHaveProperty("skipped");
      const { status, stdout, stderr } = await cli("verify", made.file, "--data");
      expect(status).toBe(3);
      expect(stdout).toMatch(/^no errors, .*; not all checked: \d+ rules that need rows which are left out/);
      expect(stderr).toMatch(
        /^merostore: unknown: the bundle leaves out .*: rules that need them are not checked$/m,
      );
      expect((await cli("status", made.file)).stdout).toMatch(/^check +no errors.*; \d+ rules not checked/m);
      const { stdout: samples } = await cli("metrics", made.file);
      expect(samples).toContain('merostore_findings{severity="error"} 0');
    },
  );

  it("knows this node's part in a group by its public key, and says unknown without that", async () => {
    using made = await bundled();
    const roles = async (...words: readonly string[]) => {
      const { status, stdout } = await cli("groups", ...words, "--json");
      const lines = linesOf(stdout).map((line) => JSON.parse(line) as { id: string; ownRole: string });
      return { status, roles: lines.map(({ id, ownRole }) => `${id} ${ownRole}`) };
    };
    for (const words of [[], ["office"], ["--at", "5"], ["office", "--at", "5"]]) {
      const [ofBundle, ofNode] = [await roles(made.file, ...words), await roles(made.path, ...words)];
      expect(ofBundle.roles).toEqual(ofNode.roles);
      expect(ofBundle.roles.length).toBeGreaterThan(0);
    }
    const [head = "", ...lines] = linesOf(made.text);
    const rows = lines
      .slice(0, -1)
      .map((line) => (/"kind":"Node\w*Identity"/.test(line) ? line.replace(/,"decoded":.*\}$/, "}") : line));
    const hash = createHash("sha256");
    for (const row of rows) hash.update(`${row}\n`);
    const end = { ...(JSON.parse(lines.at(-1) ?? "") as object), sha256: hash.digest("hex") };
    const nameless = join(made.file, "..", "nameless.ndjson");
    writeFileSync(nameless, [head, ...rows, JSON.stringify(end), ""].join("\n"));
    for (const words of [["groups"], ["groups", "office"], ["groups", "office", "--at", "5"], ["status"]]) {
      const [name = "", ...rest] = words;
      const { status, stdout, stderr } = await cli(name, nameless, ...rest);
      expect([words, status]).toEqual([words, 3]);
      expect(stdout).not.toContain("not a member");
      expect(stdout + stderr).toContain("unknown: the bundle leaves out the node's own keys");
    }
    const unknown = await roles(nameless);
    expect([unknown.status, new Set(unknown.roles.map((one) => one.slice(65)))]).toEqual([
      3,
      new Set(["unknown"]),
    ]);
  });

  it("gives the answer of its node to why, where it has the data", async () => {
    using a = copyOfDatabase("core-0.11/node-a");
    using made = await bundleOf("core-0.11/node-c", "--with-data");
    const sentences = await Promise.all(
      [made.path, made.file].map(async (db) => {
        const { stdout } = await cli("why", a.path, db, "lobby", "--json");
        const { verdict, sentence, nodes } = JSON.parse(stdout) as Record<string, string>;
        return [verdict, sentence?.replaceAll(nodes?.[1] ?? "", "C")];
      }),
    );
    expect(sentences[1]).toEqual(sentences[0]);
    expect(sentences[0]?.[0]).toBe("left");
  });

  it.each([
    ["state", "DB", "lobby"],
    ["state", "DB", "lobby", "items.a10"],
    ["state", "DB", "lobby", "--at", "20"],
    ["state", "DB", "lobby", "--at", "20", "--diff", "30"],
    ["state", "DB", "lobby", "--blame"],
    ["log", "DB", "lobby"],
    ["log", "DB", "lobby", "--patch"],
    ["log", "DB", "lobby", "--entry", "items.a10"],
    ["bisect", "DB", "lobby", "--entry", "items.a10"],
    ["minimise", "DB", "NODE", "lobby"],
    ["minimise", "NODE", "DB", "lobby"],
    ["contexts", "DB", "lobby", "--at", "20"],
    ["contexts", "DB", "--at", "2026-11-21T05:51:40Z"],
  ])("refuses what needs the deltas or the data that it leaves out: %s %s %s %s", async (...words) => {
    using made = await bundled();
    const found = await cli(...words.map((word) => ({ DB: made.file, NODE: made.path })[word] ?? word));
    expect(found).toMatchObject({ status: 3, stdout: "" });
    expect(found.stderr).toMatch(/^merostore: .*unknown: the bundle leaves out all rows of State, .*Delta/m);
  });

  it("does not say that a namespace had no context, where operations cannot be read", async () => {
    using made = await bundled();
    const { stderr } = await cli("contexts", made.file, "--at", "20");
    expect(stderr).toMatch(/unknown: \d+ operations cannot be read; some may be about contexts/);
  });

  it("refuses to write without a name, into a bundle, and to open half of one", async () => {
    using made = await bundled();
    const twice = await cli("bundle", made.path, "-o", made.file);
    expect([twice.status, twice.stderr]).toEqual([2, expect.stringContaining("--force")]);
    expect((await cli("bundle", made.path, "-o", made.file, "--force")).status).toBe(0);
    const nameless = await cli("bundle", made.path);
    expect([nameless.status, nameless.stderr]).toEqual([
      2,
      expect.stringContaining("name the file to write"),
    ]);
    const written = await cli("import", made.file, made.file, "--into-existing", "--without-secrets");
    expect(written.status).toBe(3);
    const cut = join(made.file, "..", "cut.ndjson");
    writeFileSync(cut, made.text.slice(0, -200));
    const opened = await cli("status", "--rows", cut);
    expect([opened.status, opened.stderr]).toEqual([3, expect.stringContaining("cut.ndjson")]);
  });
});
