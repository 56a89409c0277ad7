/** Contexts of core-1.0 that two independent programs computed, good and damaged ones, as stores in memory. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { fromHex } from "../../../src/bytes/hex.js";
import { b32, identity } from "../../../src/codec/index.js";
import { openMemoryEngine } from "../../../src/engines/memory/index.js";
import {
  ContextMeta,
  Generic,
  id32,
  keyParts,
  SortedIndex,
  SortedIndexMeta,
  tail,
} from "../../../src/keys/index.js";
import { row, schema } from "../../../src/schemas/index.js";
import { type Store, storeOn } from "../../../src/store/index.js";
import { ContextMetaValue } from "../../../src/values/index.js";
import { type Finding, type Rule, ruleOf, verifyStore } from "../../../src/verify/index.js";
import { rootHashCheck } from "../../../src/verify/rules/contexts.js";
import { oneRow } from "../../../src/verify/rules/one-row-layout.js";
import { orderCheck, placeCheck } from "../../../src/verify/rules/sorted-index.js";
import { stateRules } from "../../../src/verify/rules/state.js";
import { fixturePath } from "../../support/fixtures.js";

/** A row of State: its whole key, and its value. */
export class StateOf10 extends keyParts(
  "ContextState",
  "State",
  undefined,
  id32("contextId"),
  tail("stateKey"),
) {}

export const revision = schema("rows of State", [
  row(ContextMeta, ContextMetaValue),
  row(StateOf10, identity),
  row(Generic, identity),
  row(SortedIndex, b32),
  row(SortedIndexMeta, identity),
]);

const layout = oneRow([revision], StateOf10);

export const rules: readonly Rule[] = [
  ...stateRules([layout]),
  { ...ruleOf("root-hash"), checks: [rootHashCheck(layout)] },
  { ...ruleOf("sorted-index"), checks: [orderCheck(layout) ?? []].flat() },
  { ...ruleOf("sorted-key"), checks: [placeCheck(layout) ?? []].flat() },
];

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
export async function storeOf(
  contextId: string,
  rootHash: string,
  rows: Rows,
): Promise<Store<typeof revision>> {
  const engine = openMemoryEngine({ columns: revision.columns });
  await engine.write(rowsOfContext(contextId, rootHash, rows));
  return storeOn(engine, { schema: revision });
}

/** What the rules find. */
export async function findingsOf(store: Store<typeof revision>): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for await (const finding of verifyStore(store, { rules })) findings.push(finding);
  return findings;
}

/** Findings in short, for what tests expect: rule and state key. */
export function inShort(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ rule, column, key }) =>
    column === "State" ? `${rule} ${key?.slice(64)}` : `${rule} ${column}`,
  );
}
