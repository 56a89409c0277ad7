/** The manifest of the code that a context runs: its blob, and the module or bundle in that. */

import { type BlobFiles, hasBlob, readBlob } from "../../blobs/browser.js";
import { concatAll } from "../../bytes/concat.js";
import { fromHex, toHex } from "../../bytes/hex.js";
import { type IdLike, idBytes } from "../../bytes/id.js";
import { invalidArgument, isMerostoreError, MerostoreError, type Warning } from "../../errors.js";
import type { BundleName } from "../../node/tables/applications.js";
import { firstValue, hasKind, type NodeReader } from "../../node/tables/rows.js";
import { checkArgument, isReader } from "../../options.js";
import type { Schema } from "../../schemas/index.js";
import type { StoreReader } from "../../store/browser.js";
import { nameOfBundle } from "./bundle.js";
import { isManifest, type Manifest } from "./manifest.js";
import { manifestOf } from "./manifest-of.js";

/** The places that {@link findManifest} searches. */
export interface FindManifestOptions {
  /** The files of blobs. A node keeps them in the folder `blobs`, beside its database. */
  readonly blobs: BlobFiles;
}

/** A manifest that was found for a context. */
export interface FoundManifest {
  /** The manifest. */
  readonly manifest: Manifest;
  /** The blob that it was in, 64 hex digits. */
  readonly blob: string;
  /** The service of the bundle; undefined if the context runs none by name. */
  readonly service: string | undefined;
  /** Warnings: the manifest is of another version of the state, for example. */
  readonly warnings: readonly Warning[];
}

/** The code that a context runs. */
export interface ContextCode {
  /** The blob of the module or bundle, 32 bytes. */
  readonly blob: Uint8Array;
  /** The service of the bundle; undefined if the context runs none by name. */
  readonly service: string | undefined;
}

/**
 * The manifest of the code that a context runs.
 *
 * @param context its id
 * @throws MerostoreError `ABI_NOT_FOUND` if the code is not on this node, or has no manifest; `INVALID_ARGUMENT` without the
 * files of blobs; the codes of {@link manifestOf}
 */
export async function findManifest(
  store: StoreReader<Schema>,
  context: IdLike,
  options: FindManifestOptions,
): Promise<FoundManifest> {
  const { blobs } = checked(options);
  const contextId = idBytes(context);
  const { blob, service } = await contextCode(store, contextId);
  const manifest = await manifestOf(await contentOf(store, blobs, blob), { service }).catch((error) => {
    // A blob may hold anything: one that is neither a module nor a bundle nor JSON has no manifest.
    if (!isMerostoreError(error)) throw error;
    throw new MerostoreError(error.code, `blob ${toHex(blob)}: ${error.message}`, { cause: error });
  });
  const warnings = await versionWarnings(store, contextId, manifest);
  return { manifest, blob: toHex(blob), service, warnings };
}

function checked(options: Partial<FindManifestOptions> | undefined): FindManifestOptions {
  const blobs: Partial<BlobFiles> | undefined = options?.blobs;
  if (typeof blobs?.read !== "function")
    throw invalidArgument(
      "findManifest needs the files of blobs: { blobs: await blobFolder(path) }, for example",
    );
  return options as FindManifestOptions;
}

/**
 * The naming of applications by the bundles in a node's blobs, for `new CalimeroNode(store, { bundleName })`. A blob that is
 * missing, damaged or no bundle names nothing.
 */
export function bundleNames(
  store: StoreReader<Schema>,
  blobs: BlobFiles,
): (blob: string) => Promise<BundleName | undefined> {
  return async (blob) => {
    try {
      return await nameOfBundle(await contentOf(store, blobs, fromHex(blob)));
    } catch (error) {
      if (isMerostoreError(error) && error.code.startsWith("ABI_")) return undefined;
      throw error;
    }
  };
}

/**
 * The code that a context runs: the code that it activated, else the code of its group if this node has it, else the
 * code of its application. Before core-0.11, always the code of its application.
 *
 * @param id of the context
 * @throws MerostoreError `ABI_NOT_FOUND` if no row names code that this node has
 */
export async function contextCode(store: StoreReader<Schema>, id: IdLike): Promise<ContextCode> {
  checkArgument("contextCode", store, isReader);
  const contextId = idBytes(id);
  const reader = store as unknown as NodeReader;
  const context = await firstValue(reader, "ContextMeta", { contextId });
  const named = await firstValue(reader, "ContextServiceName", { contextId });
  const inContext = context !== undefined && "serviceName" in context ? context.serviceName : null;
  const service = inContext ?? named?.serviceName;
  const activated = await firstValue(reader, "ContextActivatedBlob", { contextId });
  if (activated !== undefined) return { blob: activated.blob, service };
  const groupId = await firstValue(reader, "ContextGroupRef", { contextId });
  if (groupId !== undefined && hasKind(reader, "ContextActivatedBlob")) {
    const group = await firstValue(reader, "GroupMeta", { groupId });
    if (group !== undefined && (await hasBlob(store, group.appKey))) return { blob: group.appKey, service };
  }
  if (context === undefined) throw notFound("this node did not join the context, so no row names its code");
  const application = await firstValue(reader, "ApplicationMeta", { applicationId: context.application });
  if (application === undefined)
    throw notFound(`the context's application ${toHex(context.application)} is not installed`);
  const isPending = application.size === 0n || application.source === "calimero://pending-blob-share";
  if (isPending && !(await hasBlob(store, application.bytecode)))
    throw notFound("this node does not have the code of the context's application yet");
  return { blob: application.bytecode, service };
}

/** Warnings if a manifest is of another version of the state than a context has. */
export async function versionWarnings(
  store: StoreReader<Schema>,
  context: IdLike,
  manifest: Manifest,
): Promise<readonly Warning[]> {
  checkArgument("versionWarnings", store, isReader);
  checkArgument("versionWarnings", manifest, isManifest);
  const { stateVersion } = manifest;
  const contextId = idBytes(context);
  const reader = store as unknown as NodeReader;
  const activated = await firstValue(reader, "ContextActivatedStateVersion", { contextId });
  if (activated === undefined || activated.stateVersion === stateVersion) return [];
  return [
    {
      code: "STATE_VERSION_OTHER",
      message: `the manifest is of version ${stateVersion} of the state, and the context has version ${activated.stateVersion}`,
    },
  ];
}

/** Bytes of a blob that is read: nodes load no larger bundle. */
const MOST_BYTES = 512 * 1024 * 1024;

/** The whole content of a blob. */
async function contentOf(
  store: StoreReader<Schema>,
  blobs: BlobFiles,
  blob: Uint8Array,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of readBlob(store, blobs, blob, { mostBytes: MOST_BYTES })) chunks.push(chunk);
  } catch (error) {
    if (!isMerostoreError(error) || !error.code.startsWith("BLOB_")) throw error;
    throw new MerostoreError("ABI_NOT_FOUND", error.message, { cause: error });
  }
  return concatAll(chunks);
}

function notFound(problem: string): MerostoreError {
  return new MerostoreError("ABI_NOT_FOUND", `${problem}: name the file of the manifest`);
}
