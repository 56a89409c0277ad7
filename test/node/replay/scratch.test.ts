import { it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { compareRows } from "../../../src/node/replay/compare.js";
import { replay } from "../../../src/node/replay/replay.js";
import { readOwnNode } from "../../../src/node/tables/own.js";
import { openStore } from "../../../src/store/index.js";
const list = process.env.DBS?.split(",") ?? ["core-0.11/node-a", "core-0.11/node-b", "core-0.11/node-c", "core-0.10/node-a", "core-0.10/node-b"];
it("table", async () => {
  for (const name of list) {
    const store = await openStore(`/work/shared/fixtures/${name}/db`);
    const reader = store as never;
    const own = await readOwnNode(reader);
    const namespaces = new Set<string>();
    const { rowsOf } = await import("../../../src/node/tables/rows.js");
    for await (const rows of rowsOf(reader, "NamespaceGovHead")) for (const { key } of rows) namespaces.add(toHex(key.namespaceId));
    const counts = new Map<string, [number, number, number]>();
    const lines: string[] = [];
    let checks = [0, 0], forged = 0, late = 0, ops = 0;
    for (const ns of namespaces) {
      const r = await replay(reader, own, ns);
      ops += r.operations.size; late += r.sequence.late.length;
      for (const c of r.hashes) { if (!c.isEqual) console.log("HASH", c.group.slice(0,8), c.operation.state, c.operation.logged, r.operations.groupOp(c.operation).kind, r.logs.get(c.group)?.map((l) => l.sequence + ":" + r.operations.groupOp(l.operation).kind).join(" ")); } for (const c of r.hashes) checks[c.isEqual ? 0 : 1]!++;
      for (const log of r.logs.values()) for (const row of log) if (row.isForged) forged++;
      for await (const row of compareRows(reader, r)) {
        const c = counts.get(row.kind) ?? [0, 0, 0];
        counts.set(row.kind, c);
        c[row.status === "proven" ? 0 : row.status === "explained" ? 1 : 2]++;
        if (row.status !== "proven" && row.status !== "explained") lines.push(`${row.kind} ${row.status} ${"fields" in row ? row.fields : ""} ${row.group.slice(0,8)} ${toHex(row.key.bytes).slice(66, 82)} ${typeof row.cause === "string" ? row.cause : row.cause && row.cause.state}`);
      }
    }
    console.log(name, "ops", ops, "late", late, "forged", forged, "hashes", checks, [...counts].map(([k, c]) => `${k} ${c.join("/")}`).join("\n"), "\n", lines.join("\n"));
    const sum = [0,0,0]; for (const c of counts.values()) c.forEach((n, i) => (sum[i]! += n));
    console.log(name, "SUM", sum.join("/"));
    await store.close();
  }
}, 60000);
