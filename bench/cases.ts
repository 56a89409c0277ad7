/** Valid encodings of every type: the recorded cases of the differential test. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fromHex } from "../src/index.js";

interface Case {
  readonly revision: string;
  readonly type: string;
  readonly hex: string;
  readonly accept: boolean;
  readonly reencoded?: string;
}

/** By `revision/type`, those that are canonical. */
export function readCases(): ReadonlyMap<string, readonly Uint8Array[]> {
  const text = gunzipSync(readFileSync("fixtures/differential/cases.jsonl.gz")).toString("utf8");
  const cases = new Map<string, Uint8Array[]>();
  for (const line of text.trimEnd().split("\n")) {
    const { revision, type, hex, accept, reencoded } = JSON.parse(line) as Case;
    if (!accept || (reencoded !== undefined && reencoded !== hex)) continue;
    const name = `${revision}/${type}`;
    cases.set(name, [...(cases.get(name) ?? []), fromHex(hex)]);
  }
  return cases;
}
