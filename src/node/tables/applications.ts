/** All applications of a database, read once. */
import { toHex } from "../../bytes/hex.js";
import { mapOf, type NodeReader } from "./rows.js";

/** The name of a bundle, as its manifest gives it. */
export interface BundleName {
  /** The package, as `com.example.chat`. */
  readonly package: string;
  /** The version of the package; undefined if the manifest gives none. */
  readonly version: string | undefined;
}

/** Options of a node that concern names. */
export interface NamingOptions {
  /**
   * Returns the name of the bundle in a blob, whose id is 64 hex digits; undefined if the blob is no bundle. It is
   * called for applications that the node's rows do not name: a node that joined got them with the blob of their code.
   * `bundleNames` of `merostore/state` makes such a function from the files of blobs.
   */
  readonly bundleName?: ((blob: string) => Promise<BundleName | undefined>) | undefined;
}

/** An application that is installed, or that an operation mentioned. Ids are 64 hex digits. */
export interface ApplicationRecord {
  /** The application's id, 64 hex digits. */
  readonly id: string;
  /** Name of the package; undefined if the installation gave none. */
  readonly package: string | undefined;
  /** Version of the package; undefined if the installation gave none. */
  readonly version: string | undefined;
  /** Blob id of the module, or of the whole bundle. */
  readonly blob: string;
  /** Bytes of that blob; 0 until the node has it. */
  readonly size: number;
  /** The source of the application: a URL or a path. */
  readonly source: string;
  /** The bundle's signer, `did:key:…`; undefined for an application that is not a bundle. */
  readonly signer: string | undefined;
  /** The services of a bundle of several, with the blob ids of their modules. */
  readonly services: readonly {
    /** The name of the service. */
    readonly name: string;
    /** Blob id of its module, 64 hex digits. */
    readonly blob: string;
  }[];
  /** Version of the application's state, since core-0.11. */
  readonly stateVersion: number | undefined;
}

/** The end of the source of an application that was not installed: the node gets its code as a blob. */
const PENDING = "://pending-blob-share";

/** Reads the applications, by id. */
export async function readApplications(
  reader: NodeReader,
  { bundleName }: NamingOptions = {},
): Promise<ReadonlyMap<string, ApplicationRecord>> {
  const records = await mapOf(
    reader,
    "ApplicationMeta",
    ["applicationId"],
    (value, id): ApplicationRecord => {
      // The node writes these for an installation of a single module that names no package.
      const unnamed = value.package === "unknown" && value.version === "0.0.0";
      return {
        id,
        package: unnamed ? undefined : value.package || undefined,
        version: unnamed ? undefined : value.version || undefined,
        blob: toHex(value.bytecode),
        size: Number(value.size),
        source: value.source,
        signer: value.signerId || undefined,
        services: value.services.map(({ name, bytecode }) => ({ name, blob: toHex(bytecode) })),
        stateVersion: "stateVersion" in value ? value.stateVersion : undefined,
      };
    },
  );
  if (bundleName === undefined) return records;
  const named = new Map(records);
  for (const [id, record] of records)
    if (isPending(record)) named.set(id, { ...record, ...(await bundleName(record.blob)) });
  return named;
}

/** Returns whether an application is known by the id of its code only. */
export function isPending({ package: name, source }: ApplicationRecord): boolean {
  return name === undefined && source.endsWith(PENDING);
}
