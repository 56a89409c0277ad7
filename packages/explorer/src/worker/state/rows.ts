/** Parts of a state as the rows of the page's tree: the application's values, and the entities of the Merkle tree. */
import { toHex } from "merostore";
import { beginning } from "merostore/internal";
import {
  type EntityDetails,
  entityDetails,
  keyName,
  PairsValue,
  partContent,
  partCount,
  type State,
  StateCounter,
  StateError,
  type StatePart,
  type StateProblem,
  StateSet,
  StateText,
  StateVector,
  VariantValue,
} from "merostore/state";

/** A value as the page shows it. */
export interface ShownValue {
  readonly text: string;
  /** The look of the value. `count`: the number of parts, in words. */
  readonly look: "text" | "number" | "bytes" | "word" | "count" | "none";
  /** The length of the whole in characters or bytes, if the text is cut. */
  readonly cutFrom: number | undefined;
}

/** A problem as the page shows it. */
export interface ShownProblem {
  readonly name: string;
  readonly message: string;
  /** The first bytes that do not decode, in hex, and the number of all. */
  readonly bytes: string | undefined;
  readonly size: number;
}

/** A row in the Merkle tree. Times are in milliseconds since 1970. */
export interface ShownEntity {
  readonly id: string;
  /** Undefined if the entity has no row. */
  readonly row: ShownEntityRow | undefined;
}

/** The index row of an entity. */
export interface ShownEntityRow {
  readonly parent: string | undefined;
  readonly fullHash: string;
  readonly ownHash: string;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number | undefined;
  readonly storage: string;
  readonly owner: string | undefined;
  readonly writers: readonly { readonly account: string; readonly mask: number }[];
  /** The stored name. */
  readonly name: string | undefined;
  readonly children: number;
  readonly deletedChildren: number;
}

/** A row of the tree. */
export interface StateRow {
  /** Identifies the row. */
  readonly key: string;
  readonly path: string;
  /** The private struct that contains it. */
  readonly struct: string | undefined;
  readonly named: StatePart["named"];
  readonly name: string;
  readonly value: ShownValue;
  readonly type: string | undefined;
  /** The number of rows in it; undefined for a row that cannot open. */
  readonly opens: number | undefined;
  readonly problem: ShownProblem | undefined;
  readonly entity: ShownEntity | undefined;
}

/** The most characters of a value in the tree. */
const MOST_SHOWN = 200;
/** The most bytes of a value with a problem. */
const RAW_BYTES = 64;

/** The key of a row. */
export function rowKey(path: string, struct: string | undefined): string {
  return struct === undefined ? path : `${struct}|${path}`;
}

/** Turns a part into a row. */
export async function rowOf(
  state: State,
  part: StatePart,
  struct: string | undefined,
  most = MOST_SHOWN,
): Promise<StateRow> {
  const { path, named, name, type } = part;
  const base = { key: rowKey(path, struct), path, struct, named, name, type };
  const entity = part.entity && (await entityOf(state, part.entity));
  const wrong = (problem: StateProblem): StateRow => ({
    ...base,
    entity,
    value: NONE,
    opens: undefined,
    problem: shownProblem(problem),
  });
  if (part.problem !== undefined) return wrong(part.problem);
  try {
    const { value, problem } = await partContent(part);
    if (problem !== undefined) return wrong(problem);
    const opens = await partCount(part);
    const parts = opens === 0 ? undefined : opens;
    return { ...base, entity, opens: parts, problem: undefined, value: await shown(value, opens, most) };
  } catch (error) {
    if (error instanceof StateError) return wrong(error.problem);
    throw error;
  }
}

/** An entity with its index row. */
export async function entityOf(state: State, id: Uint8Array): Promise<ShownEntity> {
  const details = await entityDetails(state, id);
  return { id: toHex(id), row: details && shownEntityRow(details) };
}

function shownEntityRow(details: EntityDetails): ShownEntityRow {
  const { parent, fullHash, ownHash, created, updated, deleted, storage, owner } = details;
  const { writers = [], name, children, deletedChildren } = details;
  return {
    parent,
    fullHash,
    ownHash,
    created: millis(created),
    updated: millis(updated),
    deleted: deleted === undefined ? undefined : millis(deleted),
    storage,
    owner,
    writers,
    name,
    children,
    deletedChildren,
  };
}

function millis(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000n);
}

/** A problem in words, with the first of its bytes. */
export function shownProblem({ name, message, raw, readings }: StateProblem): ShownProblem {
  const several = readings === undefined ? "" : ` (${readings} readings)`;
  return {
    name,
    message: `${message}${message.includes("readings") ? "" : several}`,
    bytes: raw && toHex(raw.subarray(0, RAW_BYTES)),
    size: raw?.length ?? 0,
  };
}

const NONE: ShownValue = { text: "", look: "none", cutFrom: undefined };

async function shown(value: unknown, opens: number | undefined, most: number): Promise<ShownValue> {
  if (value instanceof StateCounter) return number(await value.value());
  if (value instanceof StateText) return text(await value.text(), most);
  if (value instanceof VariantValue) return word(value.name, most);
  if (opens !== undefined) return { text: partsInWords(value, opens), look: "count", cutFrom: undefined };
  if (typeof value === "number" || typeof value === "bigint") return number(value);
  if (typeof value === "string") return text(value, most);
  if (value instanceof Uint8Array) {
    const shown = toHex(value.subarray(0, most / 2));
    return { text: shown, look: "bytes", cutFrom: value.length > most / 2 ? value.length : undefined };
  }
  if (value === undefined) return word("nothing was written yet", most);
  if (value === null) return word("none", most);
  return word(keyName(value), most);
}

function number(value: number | bigint): ShownValue {
  return { text: String(value), look: "number", cutFrom: undefined };
}

function word(value: string, most: number): ShownValue {
  return { ...text(value, most), look: "word" };
}

function text(value: string, most: number): ShownValue {
  const isLong = value.length > most;
  return {
    text: beginning(value, most),
    look: "text",
    cutFrom: isLong ? value.length : undefined,
  };
}

function partsInWords(value: unknown, opens: number): string {
  const isList = value instanceof StateVector || value instanceof StateSet || Array.isArray(value);
  const isMap = value instanceof PairsValue || (typeof value === "object" && "kind" in (value as object));
  const [one, several] = isList ? ["item", "items"] : isMap ? ["entry", "entries"] : ["field", "fields"];
  return `${opens.toLocaleString("en-US")} ${opens === 1 ? one : several}`;
}
