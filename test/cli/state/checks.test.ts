/** `verify --abi` and `diff --by context --abi`: the data of applications, checked and compared. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addCode, kvStoreModule } from "../../support/code.js";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { linesOf, played } from "../run.js";

const database = (name: string): string => fixturePath("core-0.11", name, "db");
const abi = (name: string): string => fixturePath("abi/core-0.11", `${name}.json`);
const KV = ["--context", "b875f1c0", "--abi", abi("kv-store")];

describe("verify --abi", () => {
  const rule = (stdout: string): object => {
    const summary = JSON.parse(linesOf(stdout).at(-1) ?? "");
    return summary.rules.find((one: { readonly rule: string }) => one.rule === "application-data");
  };

  it("decodes every entry of a context's data", async () => {
    const { status, stdout } = await played(0, "verify", database("node-a"), ...KV, "--json");
    expect(status).toBe(0);
    expect(rule(stdout)).toEqual({
      rule: "application-data",
      checked: 154,
      errors: 0,
      warnings: 0,
      infos: 0,
    });
  });

  it("fails for the manifest of another application", async () => {
    const words = ["--context", "a2a4613d", "--abi", abi("kv-store")];
    const { status, stdout } = await played(0, "verify", database("node-a"), ...words, "--json");
    expect(status).toBe(1);
    expect(rule(stdout)).toMatchObject({ checked: 28, errors: 2 });
    const findings = linesOf(stdout)
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    expect(findings.filter((one) => one.rule === "application-data")).toMatchObject([
      { severity: "error", message: "$: ValueDecode: 192 bytes have no reading as KvStore" },
      { severity: "error", message: expect.stringMatching(/^items: FieldNotFound: /) },
      { severity: "info", message: expect.stringMatching(/^the state does not reach \d+ entities$/) },
    ]);
    const text = await played(100, "verify", database("node-a"), ...words);
    expect(text.stdout).toContain("application-data: 2 errors, 1 info");
    expect(text.stdout).toContain("$: ValueDecode: 192 bytes have no reading as KvStore");
  });

  it("is about one application", async () => {
    for (const words of [
      ["verify", database("node-a")],
      ["diff", database("node-a"), database("node-c"), "--by", "context"],
    ])
      expect(await played(0, ...words, "--abi", abi("kv-store"))).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/the contexts run 6: add --context, or use --data instead of --abi/),
      });
  });

  it("is about all contexts, where they run one application", async () => {
    const words = ["verify", database("node-c"), "--rule", "delta-id", "--abi", abi("kv-store"), "--json"];
    const { stdout, stderr } = await played(0, ...words);
    expect(rule(stdout), stderr).toMatchObject({ checked: 54, errors: 0 });
  });

  it("takes manifests from the code of each context", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    using folder = temporaryFolder();
    const blobs = join(folder.path, "blobs");
    await addCode(copy.path, blobs, kvStoreModule());
    const words = [copy.path, "--rule", "delta-id", "--data", "--blobs", blobs, "--json"];
    const { status, stdout, stderr } = await played(0, "verify", ...words);
    expect(rule(stdout), stderr).toMatchObject({ checked: 154, errors: 0 });
    expect(status).toBe(0);
    // The other six contexts run code that is not here.
    expect(
      linesOf(stderr).filter((line) => /the data of context [0-9a-f]{64} is left out/.test(line)),
    ).toHaveLength(6);
    const other = [database("node-c"), "--by", "context", "--data", "--blobs", blobs];
    const differences = await played(0, "diff", copy.path, ...other);
    expect(linesOf(differences.stdout)).toContain('    < items["late103"] = "103"');
    expect(linesOf(differences.stdout).filter((line) => /^ {4}[<>~] /.test(line))).toHaveLength(103);
    expect(await played(0, "diff", copy.path, database("node-c"), "--data")).toMatchObject({ status: 2 });
  });
});

describe("diff --by context --abi", () => {
  const diff = (...words: readonly string[]) =>
    played(0, "diff", database("node-a"), database("node-c"), "--by", "context", ...words);

  it("says which entries differ", async () => {
    const { status, stdout } = await diff(...KV);
    expect(status).toBe(1);
    const lines = linesOf(stdout).filter((line) => /^ {4}[<>~] /.test(line));
    // node-a has 148 entries, and node-c 45 of these.
    const missing = lines.filter((line) => line.startsWith("    < "));
    const changed = lines.filter((line) => line.startsWith("    ~ "));
    expect(lines.filter((line) => line.startsWith("    > "))).toEqual([]);
    expect(missing).toHaveLength(103);
    expect(missing).toContain('    < items["late103"] = "103"');
    expect(changed).toEqual([]);
  });

  it("has them as JSON", async () => {
    const { stdout } = await diff(...KV, "--json");
    const [context] = linesOf(stdout).map((line) => JSON.parse(line));
    expect(context.data).toContainEqual({ path: 'items["late103"]', a: '"103"' });
    expect([context.dataCount, context.uncomparedCount]).toEqual([103, 0]);
  });

  it("says what was not compared, instead of that it is equal", async () => {
    const words = [
      "diff",
      database("node-a"),
      database("node-c"),
      "--by",
      "context",
      "--context",
      "b875f1c0",
    ];
    const { stdout } = await played(0, ...words, "--abi", abi("sorted-kv-store"));
    expect(stdout).toMatch(/! items was not compared: first database: .*; second database: /);
    expect(stdout).not.toContain("data is equal");
    const { stdout: json } = await played(0, ...words, "--abi", abi("sorted-kv-store"), "--json");
    const [context] = linesOf(json).map((line) => JSON.parse(line));
    expect([context.data, context.dataCount, context.uncomparedCount]).toEqual([[], 0, 1]);
    expect(context.uncompared).toMatchObject([{ path: "items" }]);
  });

  it("needs a context where several applications run", async () => {
    expect((await diff("--abi", abi("kv-store"))).status).toBe(2);
  });
});
