/** Contexts of core-1.0 that two independent programs computed, good and damaged ones, as stores in memory. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fromHex } from "../../../src/bytes/hex.js";
import { openMemoryEngine } from "../../../src/engines/memory/index.js";
import { type Core10, core10 } from "../../../src/schemas/index.js";
import { type Store, storeOn } from "../../../src/store/index.js";
import { ContextMetaValue } from "../../../src/values/index.js";
import { allRules, type Finding, type Rule, verifyStore } from "../../../src/verify/index.js";
import { fixturePath } from "../../support/fixtures.js";
import { listOf } from "../../support/lists.js";

/** The numbers of the relations of State. */
const STATE = [26, 27, 28, 29, 30, 31];

/** The rules about State, and about the rows that a node keeps beside it. */
export const rules: readonly Rule[] = allRules.filter(
  ({ name, relations }) =>
    name === "state-rows" || relations.some((number) => number === 14 || STATE.includes(number)),
);
/** A context as the fixture has it. */
export interface Context {
  readonly layout: "R" | "T1" | "T2";
  readonly context_id: string;
  readonly root_hash: string;
  readonly damage?: string;
  readonly rows: readonly (readonly [key: string, value: string])[];
  readonly entities?: readonly {
    readonly id: string;
    readonly own_hash: string;
    readonly trie_root: string;
    readonly full_hash: string;
    readonly deleted: string | null;
    readonly children: readonly string[];
  }[];
}

const lines = gunzipSync(readFileSync(fixturePath("core-1.0", "state-contexts.jsonl.gz"))).toString("utf8");

export const contexts: readonly Context[] = lines
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Context);

type Rows = readonly (readonly [key: string, value: string])[];

/** The rows of a context, and the one with its root hash. */
export function rowsOfContext(contextId: string, rootHash: string, rows: Rows) {
  const meta = ContextMetaValue.encode({
    application: new Uint8Array(32),
    rootHash: fromHex(rootHash),
    dagHeads: [],
    serviceName: null,
  });
  return [
    ["Meta", contextId, meta] as const,
    ...rows.map(([key, value]) => ["State", key, fromHex(value)] as const),
  ].map(([column, key, value]) => ({ type: "put" as const, column, key: fromHex(key), value }));
}

/** A store with the rows of a context, and its root hash. */
export async function storeOf(contextId: string, rootHash: string, rows: Rows): Promise<Store<Core10>> {
  const engine = openMemoryEngine({ columns: core10.columns });
  await engine.write(rowsOfContext(contextId, rootHash, rows));
  return storeOn(engine, { schema: core10 });
}

/** The findings of the rules. */
export const findingsOf = (store: Store<Core10>) => listOf(verifyStore(store, { rules }));

/** Findings in short, as tests expect them: rule and state key. */
export function inShort(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ rule, column, key }) =>
    column === "State" ? `${rule} ${key?.slice(64)}` : `${rule} ${column}`,
  );
}
