/** The screen in every database, with the commands that it ends with. */

import { expect, it } from "vitest";
import { cellsOf } from "../../../src/cli/output/cells.js";
import { copyOfDatabase, databases } from "../../support/fixtures.js";
import { cli, linesOf, onTerminal } from "../run.js";
import { nextOf } from "./next.js";

for (const { name, schema } of databases)
  it(`shows ${name} on one screen, with three commands that work as printed`, async () => {
    using copy = copyOfDatabase(name);
    const { status, stdout, stderr } = await onTerminal("status", copy.path);
    const lines = linesOf(stdout);
    // Some rows of made databases do not decode.
    const isUnread = (await cli("verify", copy.path, "--rule", "row-decodes")).status === 1;
    expect({ status, stderr }).toEqual({ status: isUnread ? 3 : 0, stderr: "" });
    expect(lines.length).toBeLessThanOrEqual(50);
    const shown = lines.slice(0, lines.indexOf("next"));
    for (const line of shown) expect(cellsOf(line)).toBeLessThanOrEqual(120);
    expect(stdout).toContain(`, ${schema.name}\n`);
    for (const title of ["node", "size", "check", "group", "context"])
      expect(stdout).toMatch(new RegExp(`^${title} `, "m"));
    const next = nextOf(stdout);
    expect(next).toHaveLength(3);
    for (const [program, ...words] of next) {
      expect(program).toBe("merostore");
      // A check of made databases finds errors.
      expect((await cli(...words)).status, words.join(" ")).toBeLessThanOrEqual(1);
    }
  });
