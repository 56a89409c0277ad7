/** The descriptors of the explorer's server: each is closed, however an answer or the server's start ends. */

import { once } from "node:events";
import fs, { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { KeptFiles } from "../../src/explore/kept-files.js";
import { serveExplorer } from "../../src/explore/server.js";
import { copyOfDatabase, fixturePath, temporaryFolder } from "../support/fixtures.js";

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const databaseIn = (folder: string, blobs?: string) => ({ name: "node", path: folder, folder, blobs });

it.each([
  ["a second database", (missing: string) => [databaseIn(fixture), databaseIn(missing)]],
  ["the blobs of a database", (missing: string) => [databaseIn(fixture, missing)]],
])("all folders are closed where %s is missing", async (_, databases) => {
  using folder = temporaryFolder();
  const closed = vi.spyOn(KeptFiles.prototype, "close");
  await expect(serveExplorer(databases(join(folder.path, "missing")))).rejects.toMatchObject({
    code: "ENOENT",
  });
  expect(closed).toHaveBeenCalledTimes(1);
});

const fixture = fixturePath("core-0.11/node-a", "db");

it("a file that cannot be examined is closed", () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, "1.sst"), "content");
  const files = new KeptFiles(
    folder.path,
    () => true,
    () => false,
    1,
  );
  const opened = vi.spyOn(fs, "openSync");
  const closed = vi.spyOn(fs, "closeSync");
  vi.spyOn(fs, "fstatSync").mockImplementation(() => {
    throw new Error("EIO: i/o error, fstat");
  });
  syncBuiltinESMExports();
  expect(() => files.use("1.sst", undefined)).toThrow("EIO");
  expect(closed.mock.calls).toEqual(opened.mock.results.map(({ value }) => [value]));
  files.close();
});

it.runIf(process.platform === "linux")("files are closed when their clients are gone", async () => {
  using copy = copyOfDatabase("core-0.11/node-a");
  const names = ["777777.sst", "777778.sst"];
  for (const name of names) writeFileSync(join(copy.path, name), new Uint8Array(16 * 1024 * 1024));
  const server = await serveExplorer([databaseIn(copy.path)]);
  const { host, hostname, port, hash } = new URL(server.address);
  const request = (name: string): string =>
    `GET /api/databases/0/files/${name} HTTP/1.1\r\nhost: ${host}\r\nx-merostore-token: ${hash.slice("#token=".length)}\r\n\r\n`;
  const sockets = names.map((name) => {
    const socket = connect(Number(port), hostname);
    socket.write(request(name));
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, "readable")));
  await vi.waitFor(() => expect(openIn(copy.path)).toEqual(names), { timeout: 500_000 });
  for (const socket of sockets) socket.destroy();
  await server.close();
  await vi.waitFor(() => expect(openIn(copy.path)).toEqual([]), { timeout: 500_000 });
});

/** The names of the files of a folder that this process has open. */
function openIn(folder: string): readonly string[] {
  return readdirSync("/proc/self/fd")
    .flatMap((descriptor) => {
      try {
        return [readlinkSync(`/proc/self/fd/${descriptor}`)];
      } catch {
        return []; // the descriptor that listed the folder
      }
    })
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1))
    .sort();
}
