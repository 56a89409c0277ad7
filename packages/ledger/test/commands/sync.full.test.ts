import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { cli, intoPipe } from "../../../../test/cli/run.js";
import { temporaryFolder } from "../../../../test/engines/temporary.js";
import { serveFiles } from "../../src/index.js";
import { BUCKET, KEYS, s3Server } from "../sync/s3-server.js";
import { jsonOf, nowhere, repository } from "./repository.js";

const TOKEN = "made-up-token-0123456789";
const KEY = "5f".repeat(32);

function file(content: string): string {
  const path = join(temporaryFolder(), "secret");
  writeFileSync(path, `${content}\n`);
  return path;
}

it("ledger sync takes pages to a folder, and from a server that serves it, and tells the numbers", async () => {
  const [from, shared, to] = [await repository(), temporaryFolder(), nowhere()];
  const key = ["--key-file", file(KEY)];
  const [sent] = jsonOf(await intoPipe("ledger", "sync", "--json", from, shared, ...key));
  expect(sent).toMatchObject({ waiting: 0, down: { commits: 0 }, up: { commits: 1 } });
  await using server = await serveFiles(shared, { token: TOKEN });
  const token = ["--token-file", file(TOKEN)];
  const [page] = jsonOf(await intoPipe("ledger", "cloud", "--json", server.url, ...token));
  expect(page).toEqual({
    folder: expect.stringMatching(/^[\da-f]{40}$/),
    packs: 1,
    bytes: expect.any(Number),
    changed: expect.stringMatching(/^\d{4}-.*\.000Z$/),
  });
  const { stdout } = await cli("ledger", "cloud", shared, "--utc");
  expect(stdout).toMatch(/^folder +packs +size +changed\n[\da-f]{40} +1 +\d+ kB +\d{4}-\d\d-\d\d \d\d:\d\d/);
  expect(await cli("ledger", "cloud", nowhere())).toMatchObject({ status: 3 });
  const words = ["ledger", "sync", to, server.url, "--name", "contacts", "--create", ...key];
  const got = await cli(...words, ...token);
  expect(got.status).toBe(0);
  expect(got.stdout).toMatch(/^down {2}.*B, files: \d+, commits: 1\nup {4}0 bytes, files: 0, commits: 0\n$/);
  expect((await cli("ledger", "get", to, "name")).stdout).toContain("Carol");
  expect(await cli(...words)).toMatchObject({ status: 2, stderr: expect.stringContaining("--token-file") });
  const wrong = await cli("ledger", "sync", to, shared, "--key-file", file("5e".repeat(32)));
  expect(wrong).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("is encrypted with another key"),
  });
  expect(`${wrong.stdout}${wrong.stderr}${got.stdout}${got.stderr}`).not.toMatch(/5f5f|5e5e|made-up/);
});

it("ledger sync names the option that is wrong, or that is needed", async () => {
  const [data, shared] = [await repository(), temporaryFolder()];
  const sync = (...words: readonly string[]) => cli("ledger", "sync", data, shared, ...words);
  expect(await sync("--key-file", file("made-up"))).toMatchObject({
    status: 2,
    stderr: "merostore: --key-file: the key of a folder is 64 hex digits\n",
  });
  expect(await sync()).toMatchObject({ status: 0 });
  rmSync(shared, { recursive: true });
  mkdirSync(shared);
  expect(await sync()).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('"ledger sync --restore"'),
  });
  expect(await sync("--restore")).toMatchObject({ status: 0 });
});

it("ledger sync takes pages to a bucket and from it, with the key in the environment", async () => {
  const [from, to] = [await repository(), nowhere()];
  await using server = await s3Server();
  const words = (dir: string) => [
    "ledger",
    "sync",
    dir,
    `s3://${BUCKET}/ledgers/a`,
    "--name",
    "contacts",
    "--create",
  ];
  expect(await cli(...words(from))).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"),
  });
  vi.stubEnv("AWS_ACCESS_KEY_ID", KEYS.accessKeyId);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", KEYS.secretAccessKey);
  vi.stubEnv("AWS_REGION", KEYS.region);
  vi.stubEnv("AWS_ENDPOINT_URL", server.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const dir of [from, to]) expect(await cli(...words(dir))).toMatchObject({ status: 0 });
  expect((await cli("ledger", "get", to, "name")).stdout).toContain("Carol");
  const listed = await cli("ledger", "cloud", `s3://${BUCKET}/ledgers/a`);
  expect(listed).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^folder.*\n[\da-f]{40} +1 .*\n$/),
  });
  expect([...server.files.keys()].every((name) => name.startsWith("ledgers/a/"))).toBe(true);
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "another-secret");
  const refused = await cli(...words(from));
  expect(refused).toMatchObject({ status: 3, stderr: expect.stringContaining("SignatureDoesNotMatch") });
  expect(refused.stderr).not.toContain("another-secret");
});
