import { it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { replay } from "../../../src/node/replay/replay.js";
import { readOwnNode } from "../../../src/node/tables/own.js";
import { openStore } from "../../../src/store/index.js";
import { rowsOf } from "../../../src/node/tables/rows.js";
it("x", async () => {
    const store = await openStore(`/work/shared/fixtures/core-0.10/log-and-tables/db`);
    const reader = store as never;
    const own = await readOwnNode(reader);
    for await (const rows of rowsOf(reader, "NamespaceGovHead")) for (const { key } of rows) {
      const ns = toHex(key.namespaceId);
      const r = await replay(reader, own, ns);
      console.log(ns.slice(0,8), r.sequence.order.map((o) => `${o.number} ${o.state} n${o.nonce} s${o.signer.slice(0,4)}${own.publicKeys.has(o.signer) ? "*" : ""} ${o.group?.slice(0,4)} L${o.logged} ${o.body ? (o.state === "root" ? r.operations.rootOp(o).kind : r.operations.groupOp(o).kind) : ""} ${r.hashes.find((h) => h.operation === o)?.isEqual}`).join("\n"));
    }
});
