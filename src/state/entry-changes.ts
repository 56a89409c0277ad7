/** The life of an entry of the application's data: the deltas that touched it. */
import { isBytes } from "../bytes/bytes.js";
import { equalBytes } from "../bytes/order.js";
import { toJsonLine } from "../bytes/visible.js";
import { applicationStateId } from "../digests/index.js";
import { checkArgument, hasMembers, isList, isText } from "../options.js";
import { Pause } from "../pause.js";
import { isState } from "./arguments.js";
import { type AuthorViews, type DeltaViews, type PastValue, pastValueAt } from "./author-views.js";
import { type StateChange, StateChanges } from "./changes.js";
import { type PathStep, parsePath, ROOT_PATH } from "./path.js";
import type { ReplayPosition } from "./replay/certainty.js";
import type { State } from "./state.js";

/** A delta that touched the value at a path. */
export interface EntryChange {
  /** The place of the delta, its author and time, and whether both values are proven. */
  readonly position: ReplayPosition;
  /** The value that its author saw before. */
  readonly before: PastValue;
  /** The value that its author saw after. */
  readonly after: PastValue;
  /** Earlier deltas of the list that the author had not applied: they are concurrent writes. */
  readonly beside: readonly string[];
}

/**
 * The deltas that changed the value at a path, or wrote the same value again, the oldest first.
 *
 * @param state the state after the deltas, or about that time: it names the collections
 * @param path `items.alice`, `items["a b"][0]`
 * @throws MerostoreError `INVALID_ARGUMENT` for a text that is not a path
 */
export async function* entryChanges(
  views: AuthorViews,
  state: State,
  path: string,
): AsyncGenerator<EntryChange, void, undefined> {
  checkArgument("entryChanges", views, hasMembers("the states of authors", "replay"));
  checkArgument("entryChanges", state, isState);
  checkArgument("entryChanges", path, isText);
  const { graph } = views.replay;
  const found: number[] = [];
  for await (const { number, isWrite } of touching(views, state, path)) {
    const { id } = graph.deltas[number] as { readonly id: string };
    const around = await views.around(id);
    if (around === undefined) continue;
    const [before, after] = [await pastValueAt(around.before, path), await pastValueAt(around.after, path)];
    if (isSame(before, after) && !isWrite) continue;
    const beside = await views.replay.notApplied(number, found);
    found.push(number);
    yield {
      position: around.position,
      before,
      after,
      beside: beside.map((other) => (graph.deltas[other] as { readonly id: string }).id),
    };
  }
}

/** Returns whether two values are alike as they are shown. */
function isSame(a: PastValue, b: PastValue): boolean {
  if (a.kind === "value" && b.kind === "value") return toJsonLine(a.json) === toJsonLine(b.json);
  return a.kind === b.kind;
}

/** A delta with an action on the value at a path, on a part of it, or on a part that contains it. */
interface Touching {
  readonly number: number;
  /** True if the action wrote the value at the path, or a part of it. */
  readonly isWrite: boolean;
}

async function* touching(
  { replay }: AuthorViews,
  state: State,
  path: string,
): AsyncGenerator<Touching, void, undefined> {
  const wanted = parsePath(path);
  const changes = new StateChanges(state);
  const pause = new Pause();
  const root = applicationStateId();
  // The last writes of the application's own state that each delta follows, its own one included.
  const written: (readonly Uint8Array[])[] = [];
  for (const [number, delta] of replay.graph.deltas.entries()) {
    const actions = [...(delta.actions ?? [])];
    await pause.ifLong();
    const earlier = different([...replay.graph.parents(number)].flatMap((parent) => written[parent] ?? []));
    const before = async (entity: Uint8Array): Promise<readonly Uint8Array[] | undefined> =>
      earlier.length > 0 && equalBytes(entity, root) ? earlier : undefined;
    const all = await changes.explain(actions, before);
    const own = actions.findLast((action) => "data" in action && equalBytes(action.id, root));
    const isWritten = own !== undefined && "data" in own;
    written[number] = isWritten ? [earlier.find((one) => equalBytes(one, own.data)) ?? own.data] : earlier;
    const relations = all.map((change) => relationOf(change, wanted));
    // Of states that differ, the author may have seen either.
    const isMerge = isWritten && earlier.length > 1;
    if (!isMerge && relations.every((relation) => relation === "other")) continue;
    yield { number, isWrite: relations.includes("in") };
  }
}

/** The different ones among bytes, each once. */
function different(all: readonly Uint8Array[]): readonly Uint8Array[] {
  return all.filter((one, at) => all.findIndex((other) => equalBytes(one, other)) === at);
}

/**
 * Returns `in` for a change at a path or below it, `perhaps` for a change above it or at an unknown path, otherwise
 * `other`.
 */
function relationOf(
  { kind, path, problem, isSecret }: StateChange,
  wanted: readonly PathStep[],
): "in" | "perhaps" | "other" {
  if (isSecret) return "other";
  if (path === undefined) return kind === "none" ? "other" : "perhaps";
  if (path === ROOT_PATH) return problem === undefined ? "other" : "perhaps";
  const steps = parsePath(path);
  const common = Math.min(steps.length, wanted.length);
  for (let at = 0; at < common; at++) {
    const [step, other] = [steps[at], wanted[at]];
    // An element had another place before elements in front of it were deleted. The place of a deleted element is
    // unknown.
    if (typeof step !== "string" || isBytes(other)) return "perhaps";
    if (step !== String(other)) return "other";
  }
  return steps.length >= wanted.length && (kind === "set" || kind === "delete" || kind === "insert")
    ? "in"
    : "perhaps";
}

/** An entry or a field that a delta wrote or deleted, as its author saw it. */
export interface ChangedEntry {
  /** The path, such as `items["alice"]`; for the amount of an identity in a counter, the path of the counter. */
  readonly path: string;
  /** The value before the delta. */
  readonly before: PastValue;
  /** The value after it. */
  readonly after: PastValue;
}

/**
 * The entries and fields that a delta wrote or deleted, each once, by the paths of its changes. Changes of texts are
 * left out: the inserted or deleted characters tell more than two whole texts.
 *
 * @param changes the changes of the delta, as `StateHistory` has them
 * @returns the entries by the paths of the changes
 */
export async function changedEntries(
  views: DeltaViews,
  changes: readonly StateChange[],
): Promise<ReadonlyMap<string, ChangedEntry>> {
  checkArgument("changedEntries", views, hasMembers("the states around a delta", "before", "after"));
  checkArgument("changedEntries", changes, isList);
  const { before, after } = views;
  const found = new Map<string, ChangedEntry>();
  const pause = new Pause();
  for (const { kind, path, whole, isSecret, text, at } of changes) {
    await pause.ifLong();
    const isWhole = (kind === "set" || kind === "delete") && text === undefined && at === undefined;
    if (!isWhole || isSecret || path === undefined || path === ROOT_PATH || found.has(path)) continue;
    const of = whole ?? path;
    const entry = { path: of, before: await pastValueAt(before, of), after: await pastValueAt(after, of) };
    if (entry.before.kind === "nothing" && entry.after.kind === "nothing") continue;
    found.set(path, entry);
  }
  return found;
}
