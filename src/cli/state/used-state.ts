/** The state of a context for a command, with its manifest, hints and secrets. */
import { readFileSync } from "node:fs";
import { quoted } from "../../bytes/visible.js";
import { invalidArgument, isMerostoreError, type MerostoreError } from "../../errors.js";
import type { Schema } from "../../schemas/index.js";
import {
  type Hints,
  type Manifest,
  parseRecord,
  type RecordedRoot,
  type State,
  type StateOptions,
  stateOf,
} from "../../state/index.js";
import type { StoreReader } from "../../store/index.js";
import type { OptionValues } from "../arguments/command.js";
import { text } from "../arguments/option-kinds.js";
import { revealSecrets } from "../arguments/options.js";
import type { OpenDatabase } from "../database/database.js";
import { refuseLeftOut } from "../database/lacking-rows.js";
import type { Terminal } from "../output/terminal.js";
import { manifestFor, manifestInFile, manifestOptions, refuseNoFile } from "./manifest-file.js";

export const hints = text("<file>", 'JSON that settles what manifests leave open: {"Small.b": "u16"}');

export const recorded = text(
  "<file>",
  "root hashes that watch --record kept of the node: they prove past states",
);

/** Refuses a record if the command shows nothing of the past. */
export function checkRecorded({
  recorded,
  at,
}: {
  readonly recorded?: string | undefined;
  readonly at?: string | undefined;
}): void {
  if (recorded !== undefined && at === undefined)
    throw invalidArgument("--recorded goes with --at: it proves past states");
}

/** Options that name further sources of types and values, outside the rows of a context. */
export const stateOptions = {
  ...manifestOptions,
  hints,
  private: text("<file>", "a manifest with the types of private structs, which no other has"),
  revealSecrets,
};

/** The typed values of these options, and of the record. */
export type StateOptionValues = Partial<
  OptionValues<typeof stateOptions & { readonly recorded: typeof recorded }>
>;

/** The most bytes of a file of hints, with a hint for each field of a large application. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads the state of a context. If no file is given and the context's code has no manifest, a remark says so, and the
 * types in the rows are used.
 *
 * @param reader the database at a moment
 */
export async function usedState(
  terminal: Terminal,
  open: OpenDatabase,
  contextId: Uint8Array,
  options: StateOptionValues,
  reader: StoreReader<Schema> = open.store,
): Promise<State> {
  if (options.private !== undefined && options.revealSecrets !== true)
    throw invalidArgument("private structs are secret: add --reveal-secrets to show them");
  refuseLeftOut(open.store, ["State"]);
  return stateOf(reader, contextId, {
    manifest: await manifestIfAny(terminal, open, contextId, options),
    hints: hintsIn(options.hints),
    privateTypes: options.private === undefined ? undefined : await manifestInFile(options.private),
    secrets: options.revealSecrets,
  });
}

/** The manifest for a context; undefined, with a remark unless `silently`, if none was given and none is found. */
async function manifestIfAny(
  terminal: Terminal,
  open: OpenDatabase,
  contextId: Uint8Array,
  options: StateOptionValues,
  how?: "silently",
): Promise<Manifest | undefined> {
  try {
    return (await manifestFor(terminal, open, contextId, options)).manifest;
  } catch (error) {
    const isNamed = options.abi !== undefined || options.blobs !== undefined;
    if (isNamed || !isMerostoreError(error) || !error.code.startsWith("ABI_")) throw error;
    if (how === undefined)
      terminal.remark(`without a manifest, only the types in the rows are known: ${error.message}`);
    return undefined;
  }
}

/** The knowledge about an application for a replay: its manifest, if there is one, and the hints. */
export async function knowledgeOf(
  terminal: Terminal,
  open: OpenDatabase,
  contextId: Uint8Array,
  options: StateOptionValues,
  how?: "silently",
): Promise<StateOptions> {
  const manifest = await manifestIfAny(terminal, open, contextId, options, how);
  return { manifest, hints: hintsIn(options.hints) };
}

/** The knowledge about an application, with the manifest from the first of several databases that has it. */
export async function knowledgeOfAny(
  terminal: Terminal,
  databases: readonly OpenDatabase[],
  contextId: Uint8Array,
  options: StateOptionValues,
): Promise<StateOptions> {
  for (const open of databases) {
    const known = await knowledgeOf(terminal, open, contextId, options, "silently");
    if (known.manifest !== undefined) return known;
  }
  return { hints: hintsIn(options.hints) };
}

/** The root hashes in a file that `watch --record` wrote; undefined if no file is given. */
export function recordIn(path: string | undefined): readonly RecordedRoot[] | undefined {
  if (path === undefined) return undefined;
  refuseNoFile(path);
  return parseRecord(readFileSync(path, "utf8"));
}

/** The hints in a file; undefined if no file is given. */
function hintsIn(path: string | undefined): Hints | undefined {
  if (path === undefined) return undefined;
  const refused = (why: string): MerostoreError =>
    invalidArgument(`${path} ${why}; hints look like {"Small.b": "u16"}`);
  refuseNoFile(path);
  let json: unknown;
  try {
    const bytes = readFileSync(path);
    if (bytes.length > MOST_BYTES) throw new Error("too long");
    json = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw refused("is not JSON");
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw refused("is not an object");
  for (const [place, type] of Object.entries(json))
    if (typeof type !== "string") throw refused(`has no text for ${quoted(place)}`);
  return json as Hints;
}
