/** The manifests for several contexts: from one given file, or each from the code that the context runs. */
import { fromHex, toHex } from "../../bytes/hex.js";
import { invalidArgument, isMerostoreError, MerostoreError } from "../../errors.js";
import { CalimeroNode } from "../../node/index.js";
import { contextCode, type Manifest } from "../../state/index.js";
import type { Store } from "../../store/index.js";
import { flag } from "../arguments/option-kinds.js";
import type { OpenDatabase } from "../database/database.js";
import type { Terminal } from "../output/terminal.js";
import { manifestFor, manifestInFile } from "./manifest-file.js";

/** Requests the data of applications without a given manifest. */
export const dataFlag = flag(
  "the applications' data too, by the manifests in the code that the contexts run",
);

/** The source of the manifests, as it was typed. */
export interface ManifestSource {
  readonly abi?: string | undefined;
  readonly blobs?: string | undefined;
}

/** Returns the manifest of a context's application; undefined, with a remark, if its code has none. */
export type Manifests = (contextId: Uint8Array) => Promise<Manifest | undefined>;

/** The ids of contexts in databases, each once: only the given context, or all. */
export async function contextsIn(
  stores: readonly Store[],
  only: Uint8Array | undefined,
): Promise<readonly Uint8Array[]> {
  if (only !== undefined) return [only];
  return [...(await applicationsByContext(stores)).keys()].map(fromHex);
}

/**
 * Returns the manifests of contexts. A given file applies to all of them.
 *
 * @param db the first database as it was typed
 * @param only the given context
 * @throws MerostoreError `INVALID_ARGUMENT` if a file is named, no context is, and the contexts run several
 *   applications
 */
export async function manifestsOf(
  terminal: Terminal,
  db: string,
  stores: readonly [Store, ...Store[]],
  only: Uint8Array | undefined,
  { abi, blobs }: ManifestSource,
): Promise<Manifests> {
  if (abi !== undefined) {
    const contexts = only === undefined ? await applicationsByContext(stores) : new Map();
    const applications = new Set([...contexts.values()].filter((one) => one !== undefined)).size;
    if (applications > 1)
      throw invalidArgument(
        `the manifest belongs to one application, but the contexts run ${applications}: add --context, or use --data instead of --abi`,
      );
    const manifest = await manifestInFile(abi);
    return async () => manifest;
  }
  const [store] = stores;
  /** The manifests by the code that has them, or the reasons why they cannot be used. */
  const known = new Map<string, Promise<Manifest | MerostoreError>>();
  return async (contextId) => {
    const code = await contextCode(store, contextId).catch(() => undefined);
    const name = code === undefined ? toHex(contextId) : `${toHex(code.blob)} ${code.service ?? ""}`;
    const finding = known.get(name) ?? manifestOrReason(terminal, { db, store }, contextId, blobs);
    known.set(name, finding);
    const found = await finding;
    if (!(found instanceof MerostoreError)) return found;
    terminal.remark(`the data of context ${toHex(contextId)} is left out: ${found.message}`);
    return undefined;
  };
}

async function manifestOrReason(
  terminal: Terminal,
  open: OpenDatabase,
  contextId: Uint8Array,
  blobs: string | undefined,
): Promise<Manifest | MerostoreError> {
  try {
    return (await manifestFor(terminal, open, contextId, { blobs })).manifest;
  } catch (error) {
    if (!isMerostoreError(error) || !error.code.startsWith("ABI_")) throw error;
    return error;
  }
}

/** The applications of the contexts of databases, by the context's id; undefined if no row has it. */
async function applicationsByContext(
  stores: readonly Store[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  for (const store of stores)
    for (const { context, application } of await new CalimeroNode(store).contexts())
      found.set(context.id, application?.id);
  return found;
}
