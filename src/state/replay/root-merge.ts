/**
 * Fields of the application's own state merge by their types. Of two registers, the later one is taken; of one time,
 * the one with the larger clock, then writer, then bytes. Handles of collections are equal, and fields of other types
 * must be.
 *
 * @upstream storage/src/merge/registry.rs:225-258; storage/src/collections/lww_register.rs:176-234
 */
import { concat } from "../../bytes/concat.js";
import { compareBigints, compareBytes, equalBytes } from "../../bytes/order.js";
import { applicationStateId } from "../../digests/index.js";
import type { EntityRows } from "../entity-rows.js";
import { STEPS_OF_STRUCT } from "../fields.js";
import type { StateOptions } from "../state.js";
import { codecOf } from "../types/codec-of.js";
import { TypeTable } from "../types/from-manifest.js";
import { handlesIn, readTested } from "../types/read-value.js";
import type { HandleTest } from "../types/readings.js";
import type { RecordType, RegisterType, Type } from "../types/type.js";
import { RegisterValue } from "../types/values.js";
import type { MergeRoot } from "./merge.js";

/** Bytes of the id at the end of an entity's data. */
const ID = 32;

/** The merge for the application's own state of a context. The present rows tell which bytes are handles. */
export async function rootMergerOf(
  rows: EntityRows,
  manifest: StateOptions["manifest"],
  hints: StateOptions["hints"],
): Promise<MergeRoot> {
  const root = manifest?.stateRoot;
  const type =
    root === undefined ? undefined : new TypeTable(manifest, hints, false, rows.layout.forms).named(root);
  if (type === undefined) return () => undefined;
  const [state] = await rows.stored([applicationStateId()]);
  const values = state === undefined ? [] : [state.subarray(0, -ID)];
  const isHandle = await handlesIn(type, values, (ids) => rows.live(ids), STEPS_OF_STRUCT);
  return rootMerger(type, isHandle);
}

/**
 * The merge for states of a type. It returns undefined if the type does not decide more than the bytes.
 *
 * @param isHandle tells which bytes may be handles: a manifest gives several collections the same type
 */
export function rootMerger(type: Type, isHandle: HandleTest = () => true): MergeRoot {
  return (stored, incoming) => {
    const [ours, theirs] = [stored, incoming].map((data) =>
      readTested(type, data.subarray(0, -ID), isHandle),
    );
    if (ours?.outcome !== "value" || theirs?.outcome !== "value") return undefined;
    const merged = merge(ours.type, ours.value, theirs.value);
    if (merged === undefined) return undefined;
    return concat(codecOf(ours.type).encode(merged.value as never), stored.subarray(-ID));
  };
}

/** The merged value; undefined if only the application can merge the two values. */
function merge(type: Type, ours: unknown, theirs: unknown): { readonly value: unknown } | undefined {
  if (type.kind === "register") return mergeRegisters(type, ours, theirs);
  if (type.kind === "record") return mergeRecords(type, ours as Values, theirs as Values);
  if (type.kind === "option" && ours !== null && theirs !== null) return merge(type.of, ours, theirs);
  const codec = codecOf(type);
  return equalBytes(codec.encode(ours as never), codec.encode(theirs as never)) ? { value: ours } : undefined;
}

type Values = Readonly<Record<string, unknown>>;

function mergeRecords({ fields }: RecordType, ours: Values, theirs: Values): ReturnType<typeof merge> {
  const value: Record<string, unknown> = {};
  for (const { name, type } of fields) {
    const field = merge(type, ours[name], theirs[name]);
    if (field === undefined) return undefined;
    value[name] = field.value;
  }
  return { value };
}

function mergeRegisters(type: RegisterType, ours: unknown, theirs: unknown): ReturnType<typeof merge> {
  if (!(ours instanceof RegisterValue) || !(theirs instanceof RegisterValue)) return undefined;
  const codec = codecOf(type.of);
  const none = new Uint8Array(0);
  const order =
    compareBigints(ours.time, theirs.time) ||
    compareBigints(ours.clock, theirs.clock) ||
    compareBytes(ours.node ?? none, theirs.node ?? none) ||
    compareBytes(codec.encode(ours.value as never), codec.encode(theirs.value as never));
  return { value: order >= 0 ? ours : theirs };
}
