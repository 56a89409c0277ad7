// `npm run docs`: writes the generated documents and modules. A test fails if they are stale.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { revisions } from "../dist/index.js";
import { jsonOutputFile } from "./json-output.mjs";
import { revisionModule } from "./revision-modules.mjs";
import { importTypeScript } from "./typescript.mjs";

const cli = fileURLToPath(new URL("../dist/cli/merostore.js", import.meta.url));

function print(file, ...words) {
  const { status, stdout } = spawnSync(process.execPath, [cli, "schema", ...words, "--markdown"]);
  if (status !== 0) throw new Error(`schema ${words.join(" ")} failed`);
  writeFileSync(new URL(`../docs/reference/${file}`, import.meta.url), stdout);
}

for (const { name } of revisions) print(`schema-${name}.md`, "--revision", name);
print("what-changed.md", "--compare", "core-0.10", "core-0.11");
print("what-changed-in-core-1.0.md", "--compare", "core-0.11", "core-1.0");

const { unseenDocument } = await importTypeScript("test/faults/document.ts");
writeFileSync(new URL("../docs/reference/what-verify-cannot-see.md", import.meta.url), unseenDocument());

const { relationsDocument } = await importTypeScript("test/documents/relations.ts");
writeFileSync(new URL("../docs/reference/relations.md", import.meta.url), relationsDocument());

const { replayRulesDocument } = await importTypeScript("test/documents/replay-rules.ts");
writeFileSync(new URL("../docs/reference/replay-rules.md", import.meta.url), replayRulesDocument());

const { manPage } = await importTypeScript("test/documents/man-page.ts");
writeFileSync(new URL("../man/merostore.1", import.meta.url), manPage());

const { ledgerFormatDocument } = await importTypeScript("packages/ledger/test/documents/format.ts");
const ledgerFormat = new URL("../packages/ledger/docs/ledger-format.md", import.meta.url);
writeFileSync(ledgerFormat, ledgerFormatDocument(readFileSync(ledgerFormat, "utf8")));

const modules = revisions.map(({ name }) => {
  const file = fileURLToPath(new URL(`../src/revisions/${name}.ts`, import.meta.url));
  writeFileSync(file, revisionModule(name));
  return file;
});
spawnSync("npx", ["biome", "check", "--write", ...modules], { stdio: "inherit" });

writeFileSync(new URL("../src/cli/schema/json-output.json", import.meta.url), jsonOutputFile());
