/** Commands on a backup on a web server: its URL stands where a folder stands. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Server, serve } from "../../engines/files/http/serve.mjs";
import { fixturePath, temporaryFolder } from "../../support/fixtures.js";
import { cli, played } from "../run.js";

const fixture = fixturePath("core-0.11/node-c/db");
const folder = temporaryFolder();
let server: Server;
let url: string;

beforeAll(async () => {
  const copy = join(folder.path, "backup");
  expect((await cli("backup", fixture, copy)).status).toBe(0);
  server = await serve(copy);
  url = `${server.url("plain").replace("//", "//anna:geheim@")}?signature=abc`;
});
afterAll(() => {
  server?.close();
  folder[Symbol.dispose]();
});

/** A command in this process. */
const run = (...words: readonly string[]) => played(0, ...words);

describe("The URL of a folder on a web server", () => {
  it.each([
    [["scan"], ["GroupMember", "--json"]],
    [["groups"], []],
    [["contexts"], ["--json"]],
    [["verify"], ["--json"]],
    [["du"], []],
    [["find"], ["a"]],
  ] as const)("%s prints what it prints of the folder", async (words, rest) => {
    const [ofFolder, ofServer] = [await run(...words, fixture, ...rest), await run(...words, url, ...rest)];
    expect(ofFolder.stdout.length).toBeGreaterThan(0);
    expect(ofServer).toEqual(ofFolder);
  });

  it("is compared with a folder, and copied into one", async () => {
    expect((await run("diff", "--rows", fixture, url)).status).toBe(0);
    const copied = await run("db", "copy", url, join(folder.path, "copied"));
    expect(copied).toMatchObject({ status: 0, stderr: expect.stringContaining("all equal") });
  });

  it("is shown without its secrets", async () => {
    const info = await run("status", "--rows", url);
    expect(info.stdout).toMatch(/^database +http:\/\/127\.0\.0\.1:\d+\/plain\/\n/);
    const gone = await run("status", "--rows", url.replace("plain", "forbidden"));
    expect(gone).toMatchObject({ status: 3, stderr: expect.stringContaining("403") });
    const wrong = await run("status", "--rows", "http://anna:geheim@[");
    for (const { stdout, stderr } of [info, gone, wrong]) expect(stdout + stderr).not.toMatch(/geheim|abc/);
  });

  it.each([
    [
      ["put", "NamespaceParticipation", `namespaceId=${"0".repeat(64)}`, "--value-hex", "00"],
      "can only be read",
    ],

    [["watch"], "cannot watch"],
    [["explore"], "enter http://"],
    [["backup"], "`merostore db copy`"],
    [["recover"], "download the files of a server first"],
  ] as const)("is refused by %s", async ([name, ...rest], message) => {
    const target = ["backup", "recover"].includes(name) ? [join(folder.path, "again")] : [];
    const { status, stderr } = await run(name, url, ...rest, ...target);
    expect(status).not.toBe(0);
    expect(stderr).toContain(message);
  });
});
