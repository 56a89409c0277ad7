// `npm run docs`: prints the documents that are generated. A test fails when they are stale.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { revisions } from "../dist/index.js";

const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
for (const { name } of revisions) {
  const { status, stdout } = spawnSync(process.execPath, [cli, "schema", "--revision", name, "--markdown"]);
  if (status !== 0) throw new Error(`schema --revision ${name} failed`);
  writeFileSync(new URL(`../docs/schema-${name}.md`, import.meta.url), stdout);
}
