import { describe, expect, it } from "vitest";
import { toHex } from "../../../src/bytes/hex.js";
import { replayFacts } from "../../../src/node/replay/index.js";
import { revision011 } from "./history-011.js";
import { History, writeSite } from "./history-writer.js";

describe.each(Array.from({ length: 60 }, (_, seed) => seed))("seed %i", (seed) => {
  it("proves all rows", async () => {
    const history = new History(seed, revision011);
    history.run(60);
    const wrong: string[] = [];
    for (const site of history.sites) {
      await using store = await writeSite(site!);
      for await (const f of replayFacts(store)) {
        if (f.fact === "row" && (f.status === "proven" || f.status === "explained")) continue;
        if (f.fact === "replayed" || f.fact === "hash" || ("isEqual" in f && f.isEqual)) continue;
        if (f.fact === "row")
          wrong.push(
            `${site!.number} ${f.kind} ${f.status} ${f.fields} ${toHex(f.key.bytes).slice(-8)} by ${f.operation?.kind}`,
          );
        else wrong.push(`${site!.number} ${f.fact} ${"operation" in f ? f.operation.kind : ""}`);
      }
    }
    expect(wrong.map((x) => `${seed} ${x}`).join("\n")).toEqual("");
  });
});
