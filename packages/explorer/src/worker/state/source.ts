/** The states that questions read, by context, manifest, and whether they include private data. */
import { fromHex, isMerostoreError } from "merostore";
import type { Warning } from "merostore/engine";
import {
  findManifest,
  type Hints,
  type Manifest,
  manifestOf,
  partAt,
  type State,
  StateHistory,
  type StateOptions,
  type StatePart,
  stateOf,
  versionWarnings,
} from "merostore/state";
import type { Database } from "../database/database.js";
import { Kept } from "../database/kept.js";

/** The source of the names and types of a state. */
export interface ManifestSource {
  /** A file that a person gave, the blob of the code that the context runs, or only the types in the rows. */
  readonly from: "file" | "blob" | "rows";
  /** The name of the file, or the id of the blob. */
  readonly name: string | undefined;
  /** The reason why no manifest was found; only with `from: "rows"`. */
  readonly why: string | undefined;
  readonly warnings: readonly Warning[];
  /** The name of the file with the types of private data, if one was given. */
  readonly privateTypes: string | undefined;
  /** The name of the file with hints for types that the manifest leaves open, if one was given. */
  readonly hints: string | undefined;
}

/** A state, and the source of its names. */
export interface OpenState {
  readonly state: State;
  /** The manifest with the names and types; undefined if only the types in the rows are known. */
  readonly manifest: Manifest | undefined;
  /** The facts about the application that the reading of the state uses. */
  readonly options: StateOptions;
  /** The changes by deltas. */
  readonly history: StateHistory;
  readonly source: ManifestSource;
  /** The parts that were opened last. Their collections cache their reads. */
  readonly parts: Kept;
}

/** The most parts that are kept. */
const MOST_PARTS = 64;

/** The part at a path. */
export function partOf(
  { state, parts }: OpenState,
  path: string,
  struct: string | undefined,
): Promise<StatePart | undefined> {
  return parts.get(`${struct ?? ""}|${path}`, () => partAt(state, path, struct));
}

/** A file that a person gave. */
interface Given {
  readonly name: string;
  readonly manifest: Manifest;
}

interface GivenFiles {
  abi?: Given;
  privateTypes?: Given;
  hints?: { readonly name: string; readonly hints: Hints };
  /** Counts changes, so that a state from before a change is not used after it. */
  changes: number;
}

/** The files of each context. They stay when rows are written. */
const files = new WeakMap<Database, Map<string, GivenFiles>>();

/** The most bytes of a file with a manifest: nodes load no larger bundle. */
const MOST_BYTES = 512 * 1024 * 1024;

function filesOf(database: Database, contextId: string): GivenFiles {
  const ofDatabase = files.get(database) ?? new Map<string, GivenFiles>();
  files.set(database, ofDatabase);
  const found = ofDatabase.get(contextId) ?? { changes: 0 };
  ofDatabase.set(contextId, found);
  return found;
}

/**
 * Takes a file as the manifest of a context; without a file, drops the given files. A manifest that names no state
 * describes private data; an object of texts is hints.
 *
 * @throws MerostoreError if the file does not contain a manifest
 */
export async function giveManifest(
  database: Database,
  contextId: string,
  file: File | undefined,
): Promise<void> {
  const given = filesOf(database, contextId);
  if (file === undefined) {
    delete given.abi;
    delete given.privateTypes;
    delete given.hints;
  } else {
    if (file.size > MOST_BYTES) throw new Error(`The file is larger than ${MOST_BYTES} bytes.`);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const hints = hintsIn(bytes);
    const manifest = hints === undefined ? await manifestOf(bytes) : undefined;
    if (hints !== undefined) given.hints = { name: file.name, hints };
    else if (manifest === undefined) return;
    else if (manifest.stateRoot === undefined) given.privateTypes = { name: file.name, manifest };
    else given.abi = { name: file.name, manifest };
  }
  given.changes++;
}

/** The most bytes of a file of hints. */
const MOST_HINTS = 1024 * 1024;

/** The hints in a file: an object whose values are all texts. Undefined for any other file. */
function hintsIn(bytes: Uint8Array): Hints | undefined {
  if (bytes.length > MOST_HINTS) return undefined;
  try {
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
    const values = Object.values(json);
    return values.length > 0 && values.every((one) => typeof one === "string") ? (json as Hints) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads the state of a context.
 *
 * @param revealed whether the state includes private data
 * @param other the manifest, for a context without one in the database
 */
export function openState(
  database: Database,
  contextId: string,
  revealed: boolean,
  other?: Manifest,
): Promise<OpenState> {
  if (other !== undefined) return read(database, contextId, revealed, other);
  const { changes } = filesOf(database, contextId);
  return database.kept(`state ${contextId} ${revealed} ${changes}`, () =>
    read(database, contextId, revealed),
  );
}

async function read(
  database: Database,
  contextId: string,
  revealed: boolean,
  other?: Manifest,
): Promise<OpenState> {
  const { store } = database;
  const id = fromHex(contextId);
  const { manifest = other, ...source } = await manifestFor(database, contextId);
  const { privateTypes, hints } = filesOf(database, contextId);
  const options = {
    manifest,
    hints: hints?.hints,
    privateTypes: privateTypes?.manifest,
    secrets: revealed,
  };
  const state = await stateOf(store, id, options);
  return {
    state,
    options,
    manifest,
    history: new StateHistory(store, state),
    parts: new Kept(MOST_PARTS),
    source: { ...source, privateTypes: privateTypes?.name, hints: hints?.name },
  };
}

type Found = Omit<ManifestSource, "privateTypes" | "hints"> & { readonly manifest: Manifest | undefined };

async function manifestFor(database: Database, contextId: string): Promise<Found> {
  const { store, blobs } = database;
  const { abi } = filesOf(database, contextId);
  const id = fromHex(contextId);
  if (abi !== undefined) {
    const warnings = await versionWarnings(store, id, abi.manifest);
    return { from: "file", name: abi.name, why: undefined, warnings, manifest: abi.manifest };
  }
  const none = { from: "rows", name: undefined, warnings: [], manifest: undefined } as const;
  if (blobs === undefined) return { ...none, why: "no blob files are beside the database" };
  try {
    const { manifest, blob, warnings } = await findManifest(store, id, { blobs });
    return { from: "blob", name: blob, why: undefined, warnings, manifest };
  } catch (error) {
    if (!isMerostoreError(error) || !error.code.startsWith("ABI_")) throw error;
    return { ...none, why: error.message };
  }
}
