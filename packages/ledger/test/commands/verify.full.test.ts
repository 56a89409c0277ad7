import type { RawRow } from "merostore/engine";
import { describe, expect, it } from "vitest";
import { cli, intoPipe, onTerminal } from "../../../../test/cli/run.js";
import { openLedger } from "../../src/index.js";
import { headRow, objectRow } from "../../src/rows/page-rows.js";
import { jsonOf, repository, rowsIn, writeTo } from "./repository.js";

interface Found {
  readonly severity?: string;
  readonly rule?: string;
  readonly key?: string;
  readonly page?: string;
}

const found = (lines: readonly Found[]) => lines.filter(({ severity }) => severity !== undefined);

describe("ledger verify", () => {
  it("finds nothing in a sound repository, and says what it looked at", async () => {
    const folder = await repository();
    const outcome = await cli("ledger", "verify", "--json", folder);
    expect(outcome).toMatchObject({ status: 0, stderr: "" });
    const lines = jsonOf<Found>(outcome);
    expect(found(lines)).toEqual([]);
    expect(lines[0]).toMatchObject({ ledger: "contacts", summary: { errors: 0, rules: expect.any(Array) } });
    expect(lines.at(-1)).toEqual({ pages: 1, errors: 0, warnings: 0, infos: 0 });
    const { stdout } = await onTerminal("ledger", "verify", folder, "--all");
    expect(stdout).toMatch(/\nedges +\d+\n/);
    expect(stdout).toMatch(/^no errors, 0 warnings, 0 infos; 1 page\n/);
    const short = await onTerminal("ledger", "verify", folder);
    expect(short.stdout).toBe("no errors, 0 warnings, 0 infos; 1 page\n");
  });

  it("names a damaged row with status 1, and shows no value", async () => {
    const folder = await repository();
    const piece = (await rowsIn(folder)).find(({ key }) => objectRow.key.parse(key) !== undefined) as RawRow;
    const value = piece.value.slice();
    value[5] = (value[5] as number) ^ 1;
    await writeTo(folder, { type: "put", column: "default", key: piece.key, value });
    const outcome = await cli("ledger", "verify", "--json", folder, "--page", "00".repeat(16));
    expect(outcome.status).toBe(1);
    const key = Buffer.from(piece.key).toString("hex");
    expect(found(jsonOf<Found>(outcome))).toMatchObject([
      { severity: "error", rule: "objects", kind: "object", key },
    ]);
    const { stdout } = await onTerminal("ledger", "verify", folder);
    expect(stdout).toContain(
      `  ERROR    its content has another digest (contacts ${"00".repeat(16)})\n             object ${key}\n`,
    );
    expect(stdout).toMatch(
      /^1 error, 0 warnings, 0 infos; 1 page\n\nobjects: 1 error\n {2}rule {5}Every stored piece has the digest of/,
    );
    expect(stdout).toMatch(/\n {2}means {4}Part of a value.*\n {2}advice {3}Keep the page's folder/);
    const quiet = await onTerminal("ledger", "verify", folder, "--quiet");
    expect(quiet).toMatchObject({ status: 1, stdout: "1 error, 0 warnings, 0 infos; 1 page\n" });
  });

  it("names a head that is gone, and reading says so instead of showing an empty page", async () => {
    const folder = await repository();
    const head = (await rowsIn(folder)).find(({ key }) => headRow.key.parse(key) !== undefined) as RawRow;
    await writeTo(folder, { type: "delete", column: "default", key: head.key });
    const lines = jsonOf<Found>(await intoPipe("ledger", "verify", "--json", folder));
    expect(found(lines).map(({ rule }) => rule)).toEqual(["heads", "tips"]);
    for (const words of [["entries"], ["log"], ["put", "name", "x"]]) {
      const [command = "", ...rest] = words;
      const outcome = await cli("ledger", command, "--json", folder, ...rest);
      expect(outcome).toMatchObject({ status: 3, stdout: "" });
      expect(outcome.stderr).toMatch(
        /^merostore: DATA_INTEGRITY_ERROR: the page has rows, and none of them is a head\n$/,
      );
    }
  });

  it("warns of rows of usage for pages that are not there", async () => {
    const folder = await repository();
    {
      await using ledger = await openLedger(folder, { name: "contacts" });
      await using page = await ledger.page("12".repeat(16));
      await page.put("a", "1");
    }
    const { rm } = await import("node:fs/promises");
    await rm(`${folder}/35/ledgers/${Buffer.from("contacts").toString("base64")}/EhISEhISEhISEhISEhISEg==`, {
      recursive: true,
    });
    const lines = jsonOf<Found>(await intoPipe("ledger", "verify", "--json", folder));
    expect(found(lines)).toMatchObject([{ severity: "warning", rule: "usage", kind: "opened" }]);
    expect((await intoPipe("ledger", "verify", folder)).status).toBe(0);
    const { status, stdout } = await intoPipe(
      "ledger",
      "verify",
      folder,
      "--json",
      "--strict",
      "--severity",
      "error",
    );
    expect(status).toBe(1);
    expect(stdout).not.toContain('"severity"');
    expect(stdout).toContain('"warnings":1');
  });
});
