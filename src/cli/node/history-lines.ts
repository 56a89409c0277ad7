/** Operations and deltas as lines. */
import { toHex } from "../../bytes/hex.js";
import { count, size } from "../../bytes/quantity.js";
import { type Delta, type Operation, operationFields, sentenceText, thingsIn } from "../../node/index.js";
import { Pause } from "../../pause.js";
import type { ChangedEntry, StateChange } from "../../state/index.js";
import { shortDate, timeShown, wrapped } from "../output/lines.js";
import { clip, printable } from "../output/text.js";
import { changeText, type DeltaData, isNothing } from "../state/delta-changes.js";
import { entryText } from "../state/past-value.js";
import { certaintyText, isProven } from "../state/replayed.js";
import type { Labels } from "./labels.js";
import { boundsText } from "./moment.js";

/** Options of the lines of a history. */
export interface LineOptions {
  readonly labels: Labels;
  readonly width: number | undefined;
  readonly utc: boolean;
  /** Show the fields of operations, and each action of deltas. */
  readonly patch: boolean;
}

/** The lines of an operation: number, id and sentence; below them its fields. */
export async function operationLines(operation: Operation, options: LineOptions): Promise<string[]> {
  const { labels, width, patch, utc } = options;
  const { id, sequence, state } = operation;
  await labels.prepare([id]);
  const number = state === "skeleton" ? "?" : String(sequence);
  const start = `${number.padStart(4)}  ${labels.id(id)}  `;
  const time = timeText(operation, utc);
  const text = (await operationText(operation, labels, utc)) + (time === "" ? "" : ` (${time})`);
  const fields = patch ? operationFields(operation) : undefined;
  const below = fields === undefined ? [] : jsonLines(fields);
  return [...wrapped(start + text, width, 6), ...below.flatMap((line) => wrapped(`      ${line}`, width, 8))];
}

/** The sentence of an operation. */
export async function operationText(operation: Operation, labels: Labels, utc: boolean): Promise<string> {
  await labels.prepare(thingsIn(operation.sentence));
  const text = sentenceText(operation.sentence, (thing) => labels.of(thing));
  return withTime(text, operation, utc);
}

/** The lines of a delta: time, id, author and changes; below them each action. */
export async function deltaLines(
  delta: Delta,
  options: LineOptions,
  data: DeltaData = {},
): Promise<string[]> {
  const { labels, width, utc, patch } = options;
  const { changes, entries } = data;
  const { id, author, time, actions } = delta;
  await labels.prepare([id, author]);
  const who = author === undefined ? "" : `${labels.of(author)} `;
  const marks = deltaMarks(delta, labels, data);
  const bytes = delta.size === undefined ? "" : `, ${size(delta.size)}`;
  const end = marks.length === 0 ? "" : ` (${marks.join(", ")})`;
  const when = time === undefined ? "time unknown" : shortDate(time, utc);
  const what = await deltaText(delta, changes, width);
  const text = `${when.padEnd(utc ? 20 : 19)}  ${labels.id(id)}  ${who}${what}${bytes}${eventNames(delta)}${end}`;
  if (patch) await labels.prepare(actions?.slice(0, PREPARED).map(({ entity }) => entity) ?? []);
  const lines = wrapped(text, width, 6);
  if (!patch) return lines;
  const pause = new Pause();
  const actionTexts = textsOfActions(delta, labels, changes, entries);
  for (const below of [actionTexts, eventTexts(delta).map((event) => `! ${event}`)])
    for (const line of below) {
      if (pause.isLong) await pause.ifLong();
      lines.push(...wrapped(`      ${line}`, width, 8));
    }
  return lines;
}

/** The changes of a delta. */
async function deltaText(
  delta: Delta,
  changes: DeltaData["changes"],
  width: number | undefined,
): Promise<string> {
  if (delta.actions === undefined) return "actions do not decode";
  return (await changesText(delta, changes, width)) ?? actionsText(delta);
}

/** Further remarks on a delta. */
function deltaMarks(
  { checkpoint, applied, missing }: Delta,
  labels: Labels,
  { certainty }: DeltaData,
): readonly string[] {
  return [
    ...(checkpoint ? ["checkpoint"] : []),
    ...(applied ? [] : ["pending"]),
    ...(certainty === undefined || isProven(certainty) ? [] : [certaintyText(certainty, labels.look)]),
    ...missing.map((parent) => `its parent ${labels.id(parent)} is not here`),
  ];
}

/** The heads of a history in cells. */
export const HISTORY_HEADS = ["id", "number", "time", "by", "in", "what", "bytes", "remarks"];

/** The cells of an operation. */
export async function operationRow(operation: Operation, labels: Labels, utc: boolean): Promise<string[]> {
  const { id, sequence, actor, group, state } = operation;
  await labels.prepare([id, actor, group]);
  const what = await operationText(operation, labels, utc);
  const number = state === "skeleton" ? "" : String(sequence);
  const time = timeText(operation, utc);
  const remarks = state === "readable" ? "" : state;
  return [labels.id(id), number, time, labels.of(actor), labels.of(group), what, "", remarks];
}

/** The cells of a delta. */
export async function deltaRow(
  delta: Delta,
  { labels, utc }: Pick<LineOptions, "labels" | "utc">,
  data: DeltaData = {},
): Promise<string[]> {
  const { id, author, context, time, size: bytes } = delta;
  await labels.prepare([id, author, context]);
  return [
    labels.id(id),
    "",
    time === undefined ? "" : shortDate(time, utc),
    author === undefined ? "" : labels.of(author),
    labels.of(context),
    `${await deltaText(delta, data.changes, undefined)}${eventNames(delta)}`,
    bytes === undefined ? "" : String(bytes),
    deltaMarks(delta, labels, data).join(", "),
  ];
}

/** The most entities of a delta with the shortest unique ids; others have sixteen digits. */
const PREPARED = 20;

/** The most changes in a line. */
const NAMED = 3;
const VERBS = { set: "set", insert: "inserted", delete: "deleted" } as const;
/** The most characters of a change, if lines end and if they do not. */
const [CHANGE, CHANGE_WHOLE] = [60, 400];

/** `set items["alice"] = 3; deleted items["bob"]`; undefined if the change is unknown. */
async function changesText(
  { actions = [] }: Delta,
  changes: readonly StateChange[] | undefined,
  width: number | undefined,
): Promise<string | undefined> {
  if (changes !== undefined && actions.length > 0 && isNothing(changes)) return "changed nothing";
  const added = new Set(actions.flatMap(({ kind, entity }) => (kind === "Add" ? [entity] : [])));
  const verbOf = ({ kind, entity, isSecret, problem }: StateChange): string | undefined => {
    if (isSecret) return "changed";
    if (problem !== undefined) return undefined;
    if (kind === "create") return added.has(entity) ? "created" : "changed";
    return kind === "none" ? undefined : VERBS[kind];
  };
  const most = width === undefined ? CHANGE_WHOLE : CHANGE;
  const all: string[] = [];
  const pause = new Pause();
  for (const change of changes ?? []) {
    if (pause.isLong) await pause.ifLong();
    const [text, verb] = [changeText(change), verbOf(change)];
    if (text !== undefined && verb !== undefined) all.push(`${verb} ${clip(text, most)}`);
  }
  // All fields without their own entries are written together, so each delta has them, changed or not.
  const others = all.filter((text) => !text.startsWith('set ["@'));
  const once = new Set(others.length > 0 ? others : all);
  // An entry around a new collection is written again when the collection is made.
  const texts = [...once].filter(
    (text) => !text.startsWith("changed ") || !once.has(text.replace("changed ", "created ")),
  );
  if (texts.length === 0) return undefined;
  const more = texts.length > NAMED ? `; and ${count(texts.length - NAMED)} more` : "";
  return `${texts.slice(0, NAMED).join("; ")}${more}`;
}

/** The id of the entity with the fields of the application's state, the same in every context. */
const FIELDS = "76".repeat(32);

/**
 * The label of an entity without a known path. Each delta changes the first two, which contain the hashes of the
 * entities below.
 */
function entityLabel(entity: string, context: string, labels: Labels): string {
  if (entity === context) return `the root of the tree (${labels.id(entity)})`;
  return entity === FIELDS ? `the fields of the state (${labels.id(entity)})` : labels.id(entity);
}

/** Each action: `~ items["alice"] = 3, 106 bytes`, or the entity if its meaning is unknown. */
function* textsOfActions(
  { actions = [], context }: Delta,
  labels: Labels,
  changes: readonly StateChange[] = [],
  entries: ReadonlyMap<string, ChangedEntry> = new Map(),
): Generator<string, void, undefined> {
  let next = 0;
  for (const action of actions) {
    const first = next;
    while (changes[next]?.entity === action.entity) next++;
    const field = action.field === undefined || action.entity === FIELDS ? "" : `${printable(action.field)} `;
    const end = action.size === 0 ? "" : `, ${size(action.size)}`;
    const texts = changes.slice(first, next).flatMap((change) => {
      const entry = change.path === undefined ? undefined : entries.get(change.path);
      return (entry === undefined ? changeText(change) : entryText(entry)) ?? [];
    });
    const shown = texts.length === 0 ? [`${field}${entityLabel(action.entity, context.id, labels)}`] : texts;
    for (const text of shown) yield `${SIGNS[action.kind]} ${text}${end}`;
  }
}

/** `, emitted Inserted, Removed`. */
function eventNames({ events }: Delta): string {
  if (typeof events === "string") return `, emitted events that are ${events}`;
  return events.length === 0 ? "" : `, emitted ${someOf([...new Set(events.map(({ name }) => name))])}`;
}

/** Each event with its payload: `Inserted {"key":"a30"}`. */
function eventTexts({ events }: Delta): readonly string[] {
  if (typeof events === "string") return [];
  return events.map(({ name, data, json, handler }) => {
    const payload = data.length === 0 ? "" : ` ${json === undefined ? `0x${toHex(data)}` : printable(json)}`;
    return `${printable(name)}${payload}${handler === undefined ? "" : `, handled by ${printable(handler)}`}`;
  });
}

const SIGNS = { Add: "+", Update: "~", DeleteRef: "-", Compare: "=" } as const;

/** Replaces a time in ISO 8601 at the end of a sentence by the common form. */
function withTime(text: string, { kind }: Operation, utc: boolean): string {
  if (kind !== "MemberJoinedAt") return text;
  return text.replace(/\S+$/, (time) => timeShown(time, utc));
}

/** The known bounds of an operation's time: ` (between … and …)`. */
function timeText({ time, kind }: Operation, utc: boolean): string {
  if (time === undefined || kind === "MemberJoinedAt") return "";
  return boundsText(time, utc) ?? "time unknown";
}

/** `added 2, changed 3, deleted 1: items, owner`. */
function actionsText({ actions = [] }: Delta): string {
  const of = (kind: string): number => actions.filter((action) => action.kind === kind).length;
  const parts = [
    ...(of("Add") === 0 ? [] : [`added ${count(of("Add"))}`]),
    ...(of("Update") === 0 ? [] : [`changed ${count(of("Update"))}`]),
    ...(of("DeleteRef") === 0 ? [] : [`deleted ${count(of("DeleteRef"))}`]),
  ];
  const fields = [...new Set(actions.flatMap(({ field }) => field ?? []))];
  return `${parts.join(", ") || "changed nothing"}${fields.length === 0 ? "" : `: ${someOf(fields)}`}`;
}

/** The first names of a list. */
function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 4).map(printable).join(", ");
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown;
}

/** Fields of JSON, one below the other: `member: "38ec…"`. */
function jsonLines(value: unknown, name = "", depth = 0): string[] {
  const start = `${"  ".repeat(depth)}${name === "" ? "" : `${name}: `}`;
  if (value === null || typeof value !== "object") return [start + JSON.stringify(value)];
  const entries = Object.entries(value);
  if (entries.length === 0) return [start + (Array.isArray(value) ? "[]" : "{}")];
  const inside = name === "" ? depth : depth + 1;
  const head = name === "" ? [] : [start.trimEnd()];
  return [...head, ...entries.flatMap(([key, one]) => jsonLines(one, printable(key), inside))];
}
