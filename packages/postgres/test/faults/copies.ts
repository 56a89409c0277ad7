/** Databases that Rust wrote: copied to the server and back to RocksDB, equal row for row, and verified alike. */
import { join } from "node:path";
import type { Engine } from "../../../../src/engines/index.js";
import { openEngine } from "../../../../src/engines/index.js";
import { openStore } from "../../../../src/store/index.js";
import { copyDatabase } from "../../../../src/transfer/index.js";
import { verifyStore } from "../../../../src/verify/index.js";
import { check, dropNode, linesOf, nodeAt } from "./rows.js";

/** @param path a database in a folder */
export async function copyThereAndBack(
  server: string,
  name: string,
  path: string,
  folder: string,
): Promise<number> {
  const url = nodeAt(server, name.replaceAll(/[^a-z0-9]/g, "-"));
  const back = join(folder, name.replaceAll("/", "-"));
  try {
    const { rows } = await copyDatabase(path, url);
    await copyDatabase(url, back);
    const [original, there, returned] = await Promise.all([path, url, back].map(report));
    check(original?.lines.length === rows, `${name}: ${rows} rows were counted`);
    for (const copy of [there, returned]) {
      check(copy?.columns === original?.columns, `${name}: other column families`);
      check(copy?.lines.join() === original?.lines.join(), `${name}: other rows`);
      check(copy?.findings.join() === original?.findings.join(), `${name}: verify finds something else`);
    }
    return rows;
  } finally {
    await dropNode(url);
  }
}

async function report(location: string) {
  const engine: Engine = await openEngine(location);
  const [columns, lines] = await (async () => {
    await using open = engine;
    return [[...open.columns].sort().join(), (await linesOf(open)).sort()] as const;
  })();
  const findings: string[] = [];
  await using store = await openStore(location);
  for await (const { rule, severity, key, message } of verifyStore(store))
    findings.push(`${rule} ${severity} ${String(key)} ${message}`);
  return { columns, lines, findings: findings.sort() };
}
