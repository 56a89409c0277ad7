import { fromHex } from "../bytes/hex.js";
import { parseId } from "../bytes/id.js";
import { MerostoreError } from "../errors.js";
import { partsToJson, revisions, type Schema } from "../schemas/index.js";
import {
  allRules,
  blobFolder,
  type Finding,
  notChecked,
  revisionsOf,
  ruleOf,
  type Severity,
  type Summary,
  verifyStore,
  workerThreads,
} from "../verify/index.js";
import { type DatabaseOptions, openDatabase } from "./database.js";
import { asJson } from "./rows.js";
import type { Terminal } from "./terminal.js";
import { count, printable, short, table } from "./text.js";

export interface VerifyOptions extends DatabaseOptions {
  /** Only these rules. */
  readonly rule?: readonly string[] | undefined;
  /** Only rows about this context: an id in hex or base58. */
  readonly context?: string | undefined;
  /** The folder of the blobs' files. */
  readonly blobs?: string | undefined;
  /** Explain the rules instead of checking anything. */
  readonly list?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/**
 * What is looked up lies near the rows that are checked, mostly in the same context: more memory than this for blocks
 * makes no check faster.
 */
const CACHE_BYTES = 16 * 1024 * 1024;

/** Checks a database by rules, or explains them. Status 1 if there are errors. */
export async function verify(
  terminal: Terminal,
  path: string | undefined,
  options: VerifyOptions,
): Promise<number> {
  const rules = options.rule?.map(ruleOf);
  if (options.list) return list(terminal, rules ?? allRules, options);
  if (path === undefined) {
    throw new MerostoreError("INVALID_ARGUMENT", "name a database, or ask for --list");
  }
  const context = options.context === undefined ? undefined : parseId(options.context);
  const blobs = options.blobs === undefined ? undefined : await blobFolder(options.blobs);
  await using store = await openDatabase(terminal, path, { ...options, cacheBytes: CACHE_BYTES });
  await using work = workerThreads();
  using progress = terminal.progress("verify", "rows");
  const onProgress = (rows: number): void => progress.at(rows);
  const verification = verifyStore(store, { rules, context, blobs, work, onProgress });
  const json = asJson(terminal, options);
  for await (const finding of verification) {
    const lines = json ? [JSON.stringify(finding)] : findingLines(store.schema, finding);
    for (const line of lines) await terminal.line(line);
  }
  const summary = await verification.summary();
  for (const line of json ? [JSON.stringify(summary)] : summaryLines(summary)) await terminal.line(line);
  return summary.errors > 0 ? 1 : 0;
}

const SHOWN: Readonly<Record<Severity, string>> = { error: "ERROR", warning: "warning", info: "info" };

/** A finding on two lines: what it means, and of which row. */
function findingLines(schema: Schema, finding: Finding): string[] {
  const { severity, rule, message, found, expected } = finding;
  const row = [
    rowText(schema, finding),
    ...(found === undefined ? [] : [`found ${short(found)}`]),
    ...(expected === undefined ? [] : [`expected ${short(expected)}`]),
  ];
  return [`${SHOWN[severity].padEnd(8)} ${rule}: ${printable(message)}`, `         ${row.join("; ")}`];
}

function rowText(schema: Schema, { column, key }: Pick<Finding, "column" | "key">): string {
  if (key === null) return printable(column);
  const bytes = fromHex(key);
  const kind = schema.identify(column, bytes)?.key;
  if (kind === undefined) return `${printable(column)} key ${short(key)}`;
  const parts = Object.entries(partsToJson(kind, kind.fromBytes(bytes)));
  return [kind.KIND, ...parts.map(([name, part]) => `${name}=${short(part)}`)].join(" ");
}

/** The readable form of a summary: column families, rules, and what it all came to. */
function summaryLines({ revision, rows, errors, warnings, infos, columns, rules }: Summary): string[] {
  const families = columns
    .filter(({ rows }) => rows > 0)
    .map(({ column, known, rows, canonical, other, undecodable, unknown }) => [
      known ? column : `${printable(column)} (unknown)`,
      ...[rows, canonical, other, undecodable, unknown].map(count),
    ]);
  const ran = rules.map(({ rule, checked, errors, warnings, infos, skipped }) => [
    rule,
    count(checked),
    ...[errors, warnings, infos].map((number) => (number === 0 ? "" : count(number))),
    skipped === undefined ? "" : `not run: ${skipped}`,
  ]);
  const familyHead = ["column family", "rows", "as written", "other bytes", "unreadable", "unknown"];
  const ruleHead = ["rule", "checked", "errors", "warnings", "infos", ""];
  const verdict = errors === 0 ? "no errors" : `${count(errors)} errors`;
  return [
    "",
    ...table([familyHead, ...families], [1, 2, 3, 4, 5]),
    "",
    ...table([ruleHead, ...ran], [1, 2, 3, 4]),
    "",
    `${verdict}, ${count(warnings)} warnings, ${count(infos)} infos; ${count(rows)} rows read as ${revision}`,
  ];
}

/** Explains rules, and what no rule looks at. */
async function list(
  terminal: Terminal,
  rules: readonly (typeof allRules)[number][],
  options: VerifyOptions,
): Promise<number> {
  const entries = rules.map((rule) => {
    const { name, severity, relations, says, pairs = false, needsBlobs = false } = rule;
    const holdsIn = revisionsOf(rule, revisions as readonly Schema[]);
    return { rule: name, severity, relations, revisions: holdsIn, says, pairs, needsBlobs };
  });
  if (asJson(terminal, options)) {
    for (const entry of [...entries, ...(options.rule === undefined ? notChecked : [])])
      await terminal.line(JSON.stringify(entry));
    return 0;
  }
  const cells = entries.map(({ rule, severity, relations, revisions, says, pairs, needsBlobs }) => [
    rule,
    pairs ? `${severity}*` : severity,
    relations.join(" "),
    revisions.map((name) => name.replace("core-", "")).join(" "),
    needsBlobs ? `${says} (--blobs)` : says,
  ]);
  for (const line of table([["rule", "", "no.", "revisions", "what should hold"], ...cells]))
    await terminal.line(line);
  await terminal.line("");
  await terminal.line("* a single break, as a crash can leave it between two rows, is a warning");
  if (options.rule !== undefined) return 0;
  await terminal.line("");
  await terminal.line("not looked at");
  for (const line of table(notChecked.map(({ relation, what, why }) => [`${relation}`, `${what}: ${why}`])))
    await terminal.line(line);
  return 0;
}
