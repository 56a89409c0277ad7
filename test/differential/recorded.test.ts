/** Cases of `npm run test:differential` with the answers of borsh-rs: they need no Rust. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import { revisionOf } from "../../src/schemas/index.js";
import { fixturePath } from "../support/fixtures.js";
import { disagreement } from "./compare.mjs";

interface Case {
  readonly revision: string;
  readonly type: string;
  readonly hex: string;
  readonly accept: boolean;
  readonly reencoded?: string;
}

const cases = gunzipSync(readFileSync(fixturePath("differential", "cases.jsonl.gz")))
  .toString("utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Case);

const byType = new Map<string, Case[]>();
for (const one of cases) {
  const name = `${one.revision}/${one.type}`;
  byType.set(name, [...(byType.get(name) ?? []), one]);
}

describe("recorded answers of borsh-rs", () => {
  it("are all there", () => {
    expect(cases.length).toBeGreaterThanOrEqual(5_000);
    expect(cases.some(({ accept }) => !accept)).toBe(true);
    expect(cases.some(({ hex, reencoded }) => reencoded !== undefined && reencoded !== hex)).toBe(true);
  });

  it.each([...byType])("%s: same verdict, re-encoding and value", (_, ofType) => {
    const failures = ofType.flatMap(({ revision, type, hex, accept, reencoded }) => {
      const codec = revisionOf(revision).type(type);
      const answer = { accept, reencoded: reencoded === undefined ? undefined : fromHex(reencoded) };
      const how = disagreement(codec, fromHex(hex), answer);
      return how === undefined ? [] : [`${hex}: ${how}`];
    });
    expect(failures).toEqual([]);
  });
});
