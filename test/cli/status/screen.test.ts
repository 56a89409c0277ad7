import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { cli, linesOf, onTerminal, played } from "../run.js";
import { nextOf } from "./next.js";

const db = fixturePath("core-0.11/node-a", "db");

describe("the status of a node", () => {
  it("says who it is, what it has, and how it is", async () => {
    const { stdout } = await onTerminal("status", db, "--utc");
    expect(stdout).toMatch(/^node {6}this node \(de2a2d20\), device [0-9a-f]{8}$/m);
    expect(stdout).toMatch(/^size {6}1,011 rows, 435 kB; 16 tables, 453 kB; 1 log, 0 bytes$/m);
    expect(stdout).toMatch(/^check {5}no errors, 3 warnings, 20 infos$/m);
    expect(stdout).toMatch(/^office \(fa3977a2\) +2 +this node .* 2026-11-21 05:51:50 UTC +29 +1 +0$/m);
    expect(stdout).toMatch(/^ {2}Money \(57f93142\) /m);
    expect(stdout).toMatch(/^lobby .* 2026-11-21 05:51:50 UTC +155 +0 +da09c544… +08e73069… /m);
  });

  it("as JSON has all of it", async () => {
    const status = JSON.parse((await cli("status", db, "--json")).stdout) as Record<string, unknown>;
    expect(status).toMatchObject({
      revision: "core-0.11",
      rows: 1011,
      check: { errors: 0, warnings: 3, infos: 20, rows: 1011, leftOut: [] },
      files: { tables: { files: 16 }, logs: { files: 1, bytes: 0 } },
      node: { name: "this node", account: expect.stringMatching(/^de2a2d20/) },
      groups: expect.arrayContaining([
        expect.objectContaining({ name: "office", members: 2, operations: 29, pending: [] }),
      ]),
      contexts: expect.arrayContaining([
        expect.objectContaining({ name: "lobby", deltas: 155, pending: 0, heads: [expect.any(String)] }),
      ]),
    });
  });

  it("warns of deltas that are not applied, and leads to what they wait for", async () => {
    const { stdout } = await onTerminal("status", fixturePath("core-0.11/log", "db"));
    expect(stdout).toMatch(/(is|are) not applied$/m);
    expect(nextOf(stdout).some(([, verb]) => verb === "stuck")).toBe(true);
  });

  it("counts the bytes of a context as the list of contexts does", async () => {
    const { contexts } = JSON.parse((await cli("status", db, "--json")).stdout);
    const listed = linesOf((await cli("contexts", db, "--json")).stdout).map((line) => JSON.parse(line));
    const bytes = (all: readonly { readonly id: string; readonly bytes: number }[]) =>
      Object.fromEntries(all.map((one) => [one.id, one.bytes]));
    expect(bytes(contexts)).toEqual(bytes(listed));
  });

  it("leads to commands with the options that opened the database", async () => {
    const given = [
      "--revision",
      "core-0.11",
      "--engine",
      "files",
      "--accept-log-loss",
      "--key-file",
      "a key",
    ];
    const shown = "--revision core-0.11 --engine files --accept-log-loss --key-file 'a key'";
    using copy = copyOfDatabase("core-0.11/node-a");
    using folder = temporaryFolder();
    const keyFile = join(folder.path, "a key");
    writeFileSync(keyFile, "11".repeat(32));
    const words = given.map((word) => (word === "a key" ? keyFile : word));
    const { next } = JSON.parse((await cli("status", copy.path, ...words, "--json")).stdout);
    expect(next).toHaveLength(3);
    for (const { command } of next) expect(command.replace(keyFile, "a key")).toContain(shown);
  });

  it("never makes an option of a name", async () => {
    using copy = copyOfDatabase("core-0.11/node-a");
    const lobby = "b875f1c005b2174ddf5f22157d5761c5210a3e123a5c8c46d2a94541a650e443";
    const alias = ["Alias", "aliasKind=context", "scope=none"];
    await cli("put", copy.path, ...alias, "name=--json", "--value", `"${lobby}"`, "--engine", "files");
    const { next } = JSON.parse((await cli("status", copy.path, "--json")).stdout);
    const verbs = next.map(({ command }: { readonly command: string }) => command);
    expect(verbs).toContainEqual(expect.stringMatching(new RegExp(`log .* ${lobby} --limit 10$`)));
    expect(verbs.join()).not.toContain("--json");
  });

  it("is the same for the URL of its folder", async () => {
    const url = pathToFileURL(db).href;
    for (const location of [url, url.replace("///", "/")]) expect(await cli(location)).toEqual(await cli(db));
    expect((await cli("contexts", url)).stdout).toBe((await cli("contexts", db)).stdout);
    expect((await cli("status", "file://else/where")).stderr).toContain("names no path");
  });

  it("is shown for a database alone", async () => {
    expect((await cli(db, "--rows")).stdout).toBe((await cli("status", db, "--rows")).stdout);
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "empty"));
    expect(await cli(join(folder.path, "empty"))).toMatchObject({ status: 3, stdout: "" });
    expect((await cli("nowhere")).stderr).toContain("unknown command 'nowhere'");
  });
});

it.each([
  ["tour", "status DB"],
  ["info", "status DB --rows"],
  ["get", "show DB KIND part=value"],
  ["check", "verify DB"],
  ["history", "log DB"],
  ["encrypt", "db encrypt DB NEW --key-file FILE"],
  ["ls", "status DB"],
  ["version", "--version"],
])("%s leads to %s", async (word, words) => {
  const stderr = `merostore: instead of "${word}": merostore ${words}\n`;
  expect(await played(0, word, db)).toEqual({ status: 2, stdout: "", stderr });
});
