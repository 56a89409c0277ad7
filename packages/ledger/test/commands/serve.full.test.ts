import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { cli, exitOf, textOf } from "../../../../test/cli/run.js";
import { temporaryFolder } from "../../../../test/engines/temporary.js";
import { folderCloud, httpStore, memoryPlace, openLedger } from "../../src/index.js";
import { started } from "./repository.js";

const TOKEN = "made-up-token-0123456789";

function tokenFile(content: string): string {
  const path = join(temporaryFolder(), "token");
  writeFileSync(path, content);
  return path;
}

describe("ledger serve", () => {
  it("serves a folder until Ctrl-C, and never prints the token", async () => {
    const folder = temporaryFolder();
    const child = started("ledger", "serve", folder, "--token-file", tokenFile(`${TOKEN}\n`));
    const [url] = (await once(createInterface(child.stdout), "line")) as [string];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const value = async (work: "put" | "get") => {
      const cloud = folderCloud(httpStore(url, { token: TOKEN }), { interval: 0 });
      await using ledger = await openLedger(memoryPlace(), { name: "contacts", cloud });
      await using page = await ledger.rootPage();
      if (work === "put") await page.put("name", "Alice");
      await cloud.sync();
      return new TextDecoder().decode(await page.get("name"));
    };
    await value("put");
    expect(await value("get")).toBe("Alice");
    child.kill("SIGINT");
    const [stderr, status] = await Promise.all([textOf(child.stderr), exitOf(child)]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "merostore: serving until Ctrl-C\n" });
  });

  it("is refused without a folder or a token", async () => {
    const folder = temporaryFolder();
    const serve = (...words: readonly string[]) => cli("ledger", "serve", ...words);
    expect(await serve(folder)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--token-file FILE"),
    });
    const short = await serve(folder, "--token-file", tokenFile("secret"));
    expect(short).toMatchObject({ status: 2, stderr: expect.stringContaining("16 or more") });
    expect(short.stderr).not.toContain("secret");
    for (const path of [join(folder, "missing"), folder])
      expect(await serve(folder, "--token-file", path)).toMatchObject({ status: 2 });
    expect(await serve(join(folder, "missing"), "--token-file", tokenFile(TOKEN))).toMatchObject({
      status: 3,
      stderr: expect.stringContaining("missing"),
    });
  });
});
