/** The command explore as it is typed. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { parserOf } from "../../src/cli/arguments/parser.js";
import { complete } from "../../src/cli/completion/complete.js";
import { Terminal } from "../../src/cli/output/terminal.js";
import { merostore } from "../../src/cli/program.js";
import { cli, played, Sink } from "../cli/run.js";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../support/fixtures.js";
import { exploring, rawRequest } from "./explorer.js";

const node = fixturePath("core-0.11/node-a/db");

describe("explore", () => {
  it("prints its address first, and nothing else on stdout", async () => {
    await using explorer = await exploring(node);
    expect(explorer.line).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/#token=[0-9a-f]{64}$/);
    await using other = await exploring(node, "--no-open");
    expect(other.token).not.toBe(explorer.token);
    const { stdout, stderr } = await explorer.end();
    expect(stdout).toBe(`${explorer.line}\n`);
    expect(stderr).toContain("merostore: serving until Ctrl-C\n");
    expect(stderr).not.toContain("other machines");
    expect(stderr).not.toContain(explorer.token);
  });

  it.each([
    ["SIGINT", 0],
    ["SIGTERM", 143],
  ] as const)("ends with %s, also while it answers, and leaves nothing", async (signal, expected) => {
    using copy = copyOfDatabase("core-0.11/node-a");
    writeFileSync(join(copy.path, "777777.sst"), Buffer.alloc(32 * 1024 * 1024));
    const before = readdirSync(copy.path).map((name) => [name, readFileSync(join(copy.path, name)).length]);
    const explorer = await exploring(copy.path);
    // A reader that takes nothing.
    const controller = new AbortController();
    const waiting = await fetch(`${explorer.origin}/api/databases/0/files/777777.sst`, {
      headers: { "x-merostore-token": explorer.token },
      signal: controller.signal,
    });
    expect(waiting.status).toBe(200);
    const { status } = await explorer.end(signal);
    expect(status).toBe(expected);
    controller.abort();
    expect(readdirSync(copy.path).map((name) => [name, readFileSync(join(copy.path, name)).length])).toEqual(
      before,
    );
    await expect(fetch(explorer.origin)).rejects.toThrow("fetch failed");
  });

  it("takes the home of a node, and names databases as people do", async () => {
    using folder = temporaryFolder();
    for (const name of ["node-a", "node-b"]) {
      mkdirSync(join(folder.path, name, "blobs"), { recursive: true });
      symlinkSync(fixturePath("core-0.11", name, "db"), join(folder.path, name, "data"));
    }
    const paths = [join(folder.path, "node-a"), join(folder.path, "node-b", "data")];
    await using explorer = await exploring(...paths);
    const { body } = await explorer.get("/api/databases");
    expect(JSON.parse(body.toString())).toEqual({
      databases: [
        { name: "node-a", path: paths[0], blobs: true },
        { name: "node-b", path: paths[1], blobs: true },
      ],
    });
  });

  it("is completed with folders", async () => {
    for (const words of [[""], ["db", ""], ["db", "--blobs", ""]])
      expect(await complete(merostore, ["explore", ...words])).toEqual({ words: [], paths: "folders" });
  });

  it("refuses what it cannot serve", async () => {
    using folder = temporaryFolder();
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    const file = join(folder.path, "file");
    writeFileSync(file, "");
    for (const [words, status, message] of [
      [[join(folder.path, "none")], 3, "does not exist"],
      [[folder.path], 3, "it has no file CURRENT"],
      [[file], 3, "is a file"],
      [[fixturePath("core-0.11/node-a")], 3, "did you mean"],
      [[node, join(folder.path, "none")], 3, "does not exist"],
      [
        ["https://user:geheim@example.org/backup/?signature=abc"],
        2,
        "open the page as one file, dist/explorer/explorer.html of the package, and enter https://example.org/backup/ there",
      ],
      [[node, "http://example.org/backup/"], 2, "explore serves folders"],
      [["postgres://user:geheim@localhost/db?node=a"], 2, "explore serves the files of a folder"],
      [[node, "--blobs", file], 2, "is not a folder of blob files"],
      [[node, "--port", "65536"], 2, "a port is a number from 0 to 65535"],
      [[node, "--port", "x"], 2, "Write a whole number"],
      [[node, "--port", String(port)], 2, `the port ${port} of 127.0.0.1 is in use`],
      [[node, "--host", ""], 2, "the host must not be empty"],
      [[node, "--host", "host.invalid"], 2, "the server cannot listen on host.invalid"],
    ] as const) {
      const found = await played(0, "explore", ...words);
      expect([found.status, found.stdout], words.join(" ")).toEqual([status, ""]);
      expect(found.stderr).toContain(message);
      expect(found.stderr).not.toMatch(/geheim|abc/);
    }
    taken.close();
    expect(await cli("explore", join(folder.path, "none"))).toMatchObject({ status: 3, stdout: "" });
  });

  it("says what another host exposes, and answers under the addresses of the machine only", async () => {
    await using explorer = await exploring(node, "--host", "0.0.0.0", "--no-open");
    expect(explorer.line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=/);
    const { port, token } = explorer;
    const statusOf = async (host: string) =>
      (await rawRequest(port, "/api/databases", { host, "x-merostore-token": token })).status;
    expect(await statusOf(`127.0.0.1:${port}`)).toBe(200);
    // An address of the machine that the connection did not use, and a name that leads here.
    expect(await statusOf(`192.0.2.1:${port}`)).toBe(403);
    expect(await statusOf(`evil.example:${port}`)).toBe(403);
    const { stderr } = await explorer.end();
    expect(stderr).toMatch(
      /other machines can reach the address\. Everyone who knows the token can read all files of the database, private keys\s+included/,
    );
  });
});

describe("the browser", () => {
  const name = process.platform === "darwin" ? "open" : "xdg-open";

  /** Runs the command on a terminal or into a pipe. A script stands for the browser; undefined for none. */
  async function running(columns: number, script: string | undefined, ...options: readonly string[]) {
    const folder = temporaryFolder();
    const log = join(folder.path, "log");
    if (script !== undefined)
      writeFileSync(
        join(folder.path, name),
        `#!/bin/sh\necho "$#:$1" > "${log}.part" && mv "${log}.part" "${log}"\n${script}\n`,
        { mode: 0o755 },
      );
    const path = process.env.PATH;
    process.env.PATH = script === undefined ? folder.path : `${folder.path}${delimiter}${path}`;
    const [out, err] = [new Sink(columns), new Sink()];
    const terminal = new Terminal(out, err);
    const ended = parserOf(merostore, terminal, () => undefined).parseAsync(["explore", node, ...options], {
      from: "user",
    });
    return {
      out,
      err,
      log: () => (existsSync(log) ? readFileSync(log, "utf8") : ""),
      until: async (is: () => boolean) => {
        for (let round = 0; !is() && round < 2000; round++) await sleep(10);
      },
      [Symbol.asyncDispose]: async () => {
        terminal.stop(130);
        await ended;
        process.env.PATH = path;
        folder[Symbol.dispose]();
      },
    };
  }

  it("is opened on a terminal, with the address as one word", async () => {
    await using run = await running(120, "exit 0");
    await run.until(() => run.log() !== "");
    expect(run.log()).toBe(`1:${run.out.text.trimEnd()}\n`);
    expect(run.err.text).not.toContain("cannot be opened");
  });

  it("may fail, or be missing: that is a remark", async () => {
    for (const [script, why] of [
      ["exit 3", `${name} ended with status 3`],
      [undefined, `there is no ${name}`],
    ] as const) {
      await using run = await running(120, script);
      await run.until(() => run.err.text.includes("cannot be opened"));
      expect(run.err.text).toContain(`the browser cannot be opened (${why}): open the address yourself`);
    }
  });

  it("is not opened into a pipe, nor with --no-open: that it is missing shows nowhere", async () => {
    for (const [columns, options] of [
      [0, []],
      [120, ["--no-open"]],
    ] as const) {
      const run = await running(columns, undefined, ...options);
      await run.until(() => run.err.text.includes("serving"));
      await run[Symbol.asyncDispose]();
      expect(run.err.text).not.toContain("cannot be opened");
    }
  });
});
