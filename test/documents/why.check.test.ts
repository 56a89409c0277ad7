/** The commands of docs/why-nodes-differ.md print what the document shows, typed one after another. */
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { played } from "../cli/run.js";
import { shellCommands } from "../examples/examples.js";
import { fixturePath, temporaryFolder } from "../support/fixtures.js";

/** Columns of the document's blocks. */
const WIDTH = 120;

/** The blocks of the document in their order: commands and their output. */
function blocks(): readonly { readonly isShell: boolean; readonly text: string }[] {
  const text = readFileSync(new URL("../../docs/why-nodes-differ.md", import.meta.url), "utf8");
  return [...text.matchAll(/^```(sh|text|)\n(.*?)^```$/gms)].map(([, language, block = ""]) => ({
    isShell: language === "sh",
    text: block,
  }));
}

it("prints what the document shows", async () => {
  using folder = temporaryFolder();
  for (const name of ["node-a", "node-b", "node-c"]) {
    mkdirSync(join(folder.path, name));
    cpSync(fixturePath("core-0.11", name, "db"), join(folder.path, name, "data"), { recursive: true });
  }
  let printed = "";
  let compared = 0;
  for (const { isShell, text } of blocks()) {
    if (!isShell) {
      expect(printed).toBe(text);
      compared++;
      continue;
    }
    for (const command of shellCommands(text)) {
      const [program, ...words] = command.replaceAll(/\\\n/g, " ").trim().split(/\s+/);
      const paths = words.map((word) =>
        /^[a-z-]+(\/data)?$/.test(word) && /^(node-|falsified)/.test(word) ? join(folder.path, word) : word,
      );
      if (program === "cp") cpSync(paths[1] as string, paths[2] as string, { recursive: true });
      else printed = (await played(WIDTH, ...paths)).stdout;
    }
  }
  expect(compared).toBe(4);
});
