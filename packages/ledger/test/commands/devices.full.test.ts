/** `merostore ledger device`: a folder with devices on the command line. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cli } from "../../../../test/cli/run.js";
import { temporaryFolder } from "../../../../test/engines/temporary.js";
import { jsonOf, nowhere, repository } from "./repository.js";

const ID = /^[0-9a-f]{64}\n$/;

/** All output so far. No secret may be in it. */
let printed = "";

async function device(...words: readonly string[]) {
  const outcome = await cli("ledger", "device", ...words);
  printed += outcome.stdout + outcome.stderr;
  return outcome;
}

/** Runs a command that prints one word. */
async function word(...words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await device(...words);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(ID);
  return stdout.trim();
}

const secretOf = (file: string): string =>
  (JSON.parse(readFileSync(file, "utf8")) as { secret: string }).secret;

it("devices are made, added, listed and removed, and sync with their files", async () => {
  const [files, team, data, there] = [temporaryFolder(), temporaryFolder(), await repository(), nowhere()];
  const [laptop, phone] = [join(files, "laptop.json"), join(files, "phone.json")];
  const own = ["--device", laptop];
  await word("create", laptop);
  if (process.platform !== "win32") expect(statSync(laptop).mode & 0o777).toBe(0o600);
  expect(await device("create", laptop)).toMatchObject({ status: 2 });
  const sync = async (dir: string, file: string) => {
    const outcome = await cli(
      "ledger",
      "sync",
      dir,
      team,
      "--name",
      "contacts",
      "--create",
      "--device",
      file,
    );
    printed += outcome.stdout + outcome.stderr;
    return outcome;
  };
  expect(await sync(data, laptop)).toMatchObject({ status: 2, stderr: expect.stringContaining("no roster") });
  await word("start", team, ...own, "--name", "laptop");
  expect(await sync(data, laptop)).toMatchObject({ status: 0, stderr: "" });
  const key = await word("create", phone);
  const roster = await word("add", team, key, ...own, "--name", "phone", "--role", "read");
  expect(await device("join", phone, "1234")).toMatchObject({ status: 2 });
  expect(await device("join", phone, roster)).toMatchObject({ status: 0, stdout: "" });
  expect(await sync(there, phone)).toMatchObject({ status: 0 });
  expect((await cli("ledger", "get", there, "name")).stdout).toContain("Carol");
  await cli("ledger", "put", there, "mine", "1");
  expect(await sync(there, phone)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("keeps 1 commit: this device may only read"),
  });
  expect(jsonOf(await device("list", team, "--device", phone, "--json"))).toEqual([
    { key: expect.any(String), name: "laptop", role: "admin" },
    { key, name: "phone", role: "read" },
  ]);
  expect((await device("list", team, ...own)).stdout).toMatch(
    /^name +role +key\nlaptop +admin +[\da-f]{64}\n/,
  );
  expect(await device("remove", team, "laptop", "--device", phone)).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("only an admin"),
  });
  const last = await word("remove", team, "phone", ...own);
  expect(readFileSync(laptop, "utf8")).toContain(last);
  expect(await sync(there, phone)).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("was removed"),
  });
  for (const file of [laptop, phone]) expect(printed).not.toContain(secretOf(file));
});

it("wrong words and files are refused, without the secret", async () => {
  const [files, team] = [temporaryFolder(), temporaryFolder()];
  const file = join(files, "device.json");
  const key = await word("create", file);
  const secret = secretOf(file);
  for (const words of [
    ["start", team, "--name", "laptop"],
    ["start", team, "--device", file],
    ["start", team, "--device", join(files, "none"), "--name", "laptop"],
    ["list", team, "--device", file],
    ["add", team, key, "--device", file, "--name", "laptop", "--role", "owner"],
    ["join", file, "1234"],
  ])
    expect(await device(...words)).toMatchObject({ status: 2, stdout: "" });
  await word("start", team, "--device", file, "--name", "laptop");
  for (const words of [
    ["add", team, "1234", "--device", file, "--name", "phone", "--role", "read"],
    ["add", team, key, "--device", file, "--role", "read"],
    ["add", team, key, "--device", file, "--name", "phone"],
  ])
    expect(await device(...words)).toMatchObject({ status: 2, stdout: "" });
  for (const content of [
    `{"secret":"${secret}"`,
    `{"secret":["${secret}"]}`,
    `{"secret":"${secret}0"}`,
    secret,
  ]) {
    writeFileSync(file, content);
    expect(await device("start", temporaryFolder(), "--device", file, "--name", "a")).toMatchObject({
      status: 2,
    });
  }
  expect(printed).not.toContain(secret);
});
