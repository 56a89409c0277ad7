/** Verification: runs in a separate worker, because it takes long and never waits. */
import { fromHex, revisions, type Schema } from "merostore";
import { partsToJson } from "merostore/internal";
import type { Names } from "merostore/node";
import {
  allRules,
  type Finding,
  type FindingCounts,
  type FindingGroup,
  FindingGroups,
  notChecked,
  revisionsOf,
  type Severity,
  type Summary,
  verifyStore,
} from "merostore/verify";
import { atMostEvery } from "./database/at-most-every.js";
import type { Database } from "./database/database.js";
import { isId } from "./database/text.js";

/** The most findings that are kept of each rule and severity. All are counted. */
const KEPT_FINDINGS = 100;
/** Milliseconds between two reports. */
const REPORT_EVERY = 250;

/** A value of a finding: an id with its name, or other text. */
export interface FindingValue {
  /** The name of a part of a key. */
  readonly part?: string | undefined;
  readonly text: string;
  /** The thing with this id, if the text is an id. */
  readonly name: string | undefined;
}

/** A finding as it is shown. */
export interface ShownFinding {
  readonly severity: Severity;
  readonly column: string;
  /** Null for a row of unknown kind, and for a whole column family. */
  readonly kind: string | null;
  /** In hex; null for a whole column family. */
  readonly key: string | null;
  readonly parts: readonly FindingValue[];
  readonly message: string;
  readonly found: FindingValue | undefined;
  readonly expected: FindingValue | undefined;
}

/** The findings of a rule: the number of all, and the first ones. */
export type RuleFindings = FindingGroup<ShownFinding>;

/** A rule in words. */
export interface RuleInWords {
  readonly rule: string;
  readonly severity: Severity;
  readonly says: string;
  readonly means: string;
  readonly advice: string;
}

/** The state of a running verification. */
export interface ChecksReport {
  /** The number of rows that were read. */
  readonly rows: number;
  readonly counts: FindingCounts;
  /** The rules whose findings have changed since the previous report. */
  readonly changed: readonly RuleFindings[];
}

/** The result of a verification. */
export interface Checked {
  readonly summary: Summary;
  readonly groups: readonly RuleFindings[];
}

/** The rules for the revision, and the facts that no rule checks. */
export async function rules({ store }: Database): Promise<{
  readonly rules: readonly RuleInWords[];
  readonly notChecked: typeof notChecked;
}> {
  const schema: Schema = store.schema;
  // A database of several revisions has a schema of its own.
  const wanted: readonly Schema[] = revisions.some((one) => one === schema) ? [schema] : revisions;
  const names: readonly string[] = revisions.map(({ name }) => name);
  const last = Math.max(...wanted.map(({ name }) => names.indexOf(name)));
  const isNewest = last === revisions.length - 1;
  const held = allRules.filter(
    (rule) => revisionsOf(rule, wanted).length > 0 || (isNewest && rule.laterUnknown !== undefined),
  );
  return {
    rules: held.map(({ name, severity, says, means, advice }) => ({
      rule: name,
      severity,
      says,
      means,
      advice,
    })),
    notChecked: notChecked.filter(({ since }) => since === undefined || names.indexOf(since) <= last),
  };
}

/** Verifies the database, and reports findings as they are made. */
export async function checks(
  { store, node, blobs }: Database,
  onReport: (report: ChecksReport) => void,
): Promise<Checked> {
  const names = await node.names().catch(() => undefined);
  const found = new FindingGroups<ShownFinding>({ most: KEPT_FINDINGS, least: "info" });
  const changed = new Set<string>();
  let rows = 0;
  const report = atMostEvery(REPORT_EVERY, () => {
    const groups = found.groups();
    onReport({ rows, counts: totalOf(groups), changed: groups.filter(({ rule }) => changed.has(rule)) });
    changed.clear();
  });
  const verification = verifyStore(store, {
    blobs,
    onProgress: ({ done }) => {
      rows = done;
      report();
    },
  });
  for await (const finding of verification) {
    found.add(finding.rule, finding.severity, () => shown(store.schema, names, finding));
    changed.add(finding.rule);
    report();
  }
  return { summary: await verification.summary(), groups: found.groups() };
}

function totalOf(groups: readonly RuleFindings[]): FindingCounts {
  const sum = (of: keyof FindingCounts) => groups.reduce((total, { counts }) => total + counts[of], 0);
  return { errors: sum("errors"), warnings: sum("warnings"), infos: sum("infos") };
}

function shown(schema: Schema, names: Names | undefined, finding: Finding): ShownFinding {
  const { severity, column, kind, key, message, found, expected } = finding;
  return {
    severity,
    column,
    kind,
    key,
    parts: key === null ? [] : partsOf(schema, names, column, key),
    message,
    found: found === undefined ? undefined : shownValue(names, found),
    expected: expected === undefined ? undefined : shownValue(names, expected),
  };
}

function partsOf(
  schema: Schema,
  names: Names | undefined,
  column: string,
  key: string,
): readonly FindingValue[] {
  const bytes = fromHex(key);
  const kind = schema.identify(column, bytes)?.key;
  if (kind === undefined) return [shownValue(names, key)];
  const parts = Object.entries(partsToJson(kind, kind.fromBytes(bytes)));
  return parts.map(([part, value]) => ({ part, ...shownValue(names, String(value)) }));
}

function shownValue(names: Names | undefined, text: string): FindingValue {
  return { text, name: isId(text) ? names?.of(text)?.name : undefined };
}
