/** Files in a bucket of an object store with the protocol of Amazon S3. */
import {
  checkOptions,
  invalidArgument,
  isText,
  MerostoreError,
  type OptionChecks,
  sha256,
  toHex,
} from "merostore/internal";
import type { FileStore, ReadFile } from "../folder/file-store.js";
import {
  bytesOf,
  isTimeout,
  modifiedOf,
  type StoreRequest,
  StoreRequests,
  TIMEOUT,
} from "../http/store-requests.js";

/** Options of {@link s3Store}. */
export interface S3StoreOptions {
  /** The name of the bucket. It must exist. */
  readonly bucket: string;
  /** The folder of the cloud in the bucket: `ledgers/team`. The whole bucket unless given. */
  readonly folder?: string | undefined;
  /** The region that signatures name: `us-east-1` unless given. */
  readonly region?: string | undefined;
  /** The id of the access key. It needs the rights to list, read, write and delete. */
  readonly accessKeyId: string;
  /** The secret of the access key. */
  readonly secretAccessKey: string;
  /** The token of temporary credentials. */
  readonly sessionToken?: string | undefined;
  /**
   * Milliseconds for a request and its answer: 60,000 unless given. A closing page waits at most 5,000 for its reads.
   */
  readonly timeout?: number | undefined;
}

const isBucket = (value: unknown): string | undefined =>
  typeof value === "string" && /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/.test(value)
    ? undefined
    : "the name of a bucket";
const isFolder = (value: unknown): string | undefined =>
  typeof value === "string" && /^[\w.-]+(?:\/[\w.-]+)*$/.test(value) && !/(?:^|\/)\.\.?(?:\/|$)/.test(value)
    ? undefined
    : "a path of letters, digits, -, _ and . between single /";

const OPTIONS: OptionChecks<S3StoreOptions> = {
  bucket: isBucket,
  folder: isFolder,
  region: isText,
  accessKeyId: isText,
  // Not described: a secret must not be in a message.
  secretAccessKey: () => undefined,
  sessionToken: () => undefined,
  timeout: isTimeout,
};

/** Bytes of a page of a list: 1,000 names of at most 1,024 bytes, each of which may be escaped. */
const MOST_LIST = 8 << 20;

/** The most pages of a list that are read: a million names. */
const MOST_PAGES = 1000;

/**
 * Returns the files in a bucket, for {@link folderCloud}: of Amazon S3, Cloudflare R2, MinIO or another service with
 * the same protocol, with signatures of version 4 and the bucket in the path. Needs the package `aws4fetch`.
 *
 * If the service cannot be reached (NETWORK_ERROR), the cloud tries again later. A service that refuses the key is an
 * error (PERMISSION_DENIED).
 *
 * @param endpoint the URL of the service: `https://s3.eu-central-1.amazonaws.com`
 * @throws MerostoreError INVALID_ARGUMENT
 * @example
 * const store = s3Store("https://s3.eu-central-1.amazonaws.com", {
 *   bucket: "team-ledger",
 *   region: "eu-central-1",
 *   accessKeyId: "made-up-id",
 *   secretAccessKey: "made-up-secret",
 * });
 * const cloud = folderCloud(store, { key: "5f".repeat(32) });
 */
export function s3Store(endpoint: string | URL, options: S3StoreOptions): FileStore {
  checkOptions("s3Store", options, OPTIONS);
  const { bucket, accessKeyId, secretAccessKey, sessionToken } = options;
  const texts = [accessKeyId, secretAccessKey, sessionToken ?? "-"];
  if (bucket === undefined || !texts.every((text) => typeof text === "string" && /^[!-~]+$/.test(text)))
    throw invalidArgument(
      "s3Store needs bucket, accessKeyId and secretAccessKey, the keys as printable ASCII without spaces",
    );
  const url = URL.canParse(String(endpoint)) ? new URL(String(endpoint)) : undefined;
  const isPlain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url === undefined || !isPlain || !/^https?:$/.test(url.protocol) || url.pathname !== "/")
    throw invalidArgument(
      "the endpoint of a service is an http: or https: URL of a host, without user, path, query and fragment",
    );
  return new S3Store(url, options);
}

class S3Store implements FileStore {
  readonly name: string;
  readonly #bucket: URL;
  /** The beginning of all keys. */
  readonly #prefix: string;
  readonly #requests: StoreRequests;
  readonly #within: (signal: AbortSignal) => FileStore;

  constructor(endpoint: URL, options: S3StoreOptions, signal?: AbortSignal) {
    const { bucket, folder, timeout = TIMEOUT, ...credentials } = options;
    this.#within = (ending) => new S3Store(endpoint, options, ending);
    this.#bucket = new URL(bucket, endpoint);
    this.#prefix = folder === undefined ? "" : `${folder}/`;
    this.name = `${this.#bucket.href}/${this.#prefix}`.replace(/\/$/, "");
    this.#requests = new StoreRequests({
      ...{ name: this.name, timeout, signal },
      authorize: (request) => signed(request, credentials),
      refusal: async (response) => `refuses the request${await codeOf(response)}`,
    });
  }

  /** Lists the first names: a missing bucket is an error, an empty one is not. */
  async checkIsThere(): Promise<void> {
    await this.#page("", undefined);
  }

  async list(folder: string): Promise<string[]> {
    const names: string[] = [];
    let next: string | undefined;
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const page = await this.#page(folder === "" ? "" : `${folder}/`, next);
      for (const name of page.names) names.push(name);
      next = page.next;
      if (next === undefined) return names;
    }
    throw this.#requests.failed(this.#url(folder), "the list of names does not end");
  }

  async #page(folder: string, next: string | undefined): Promise<ListedPage> {
    const url = new URL(this.#bucket);
    const prefix = this.#prefix + folder;
    url.search = String(
      new URLSearchParams({
        "list-type": "2",
        delimiter: "/",
        prefix,
        ...(next !== undefined && { "continuation-token": next }),
      }),
    ).replaceAll("+", "%20");
    const bytes = await this.#requests.send({ method: "GET", url }, [200], (response) =>
      bytesOf(response, MOST_LIST),
    );
    const page = parseList(new TextDecoder().decode(bytes), prefix);
    if (page === undefined) throw this.#requests.failed(url, "the answer is not a list of keys");
    return page;
  }

  read(
    path: string,
    most: number,
    known?: string,
    from?: number,
  ): Promise<ReadFile | "unchanged" | undefined> {
    const url = this.#url(path);
    return this.#requests.readPart(url, { most, known, from }, () =>
      this.#requests.send({ method: "HEAD", url }, [200, 404], async (response) => {
        const { status, headers } = response;
        if (status === 404) return undefined;
        const [size, version] = [headers.get("content-length"), headers.get("etag")];
        if (size === null || version === null) throw new Error("the answer has no size or no version");
        return { version, size: Number(size), modified: modifiedOf(response) };
      }),
    );
  }

  async write(path: string, body: Uint8Array): Promise<void> {
    await this.#requests.send({ method: "PUT", url: this.#url(path), body }, [200], async () => undefined);
  }

  async remove(path: string): Promise<void> {
    const url = this.#url(path);
    await this.#requests.send({ method: "DELETE", url }, [200, 204, 404], async () => undefined);
  }

  within(signal: AbortSignal): FileStore {
    return this.#within(signal);
  }

  #url(path: string): URL {
    return new URL(`${this.#bucket.pathname}/${this.#prefix}${path}`, this.#bucket);
  }
}

/** Signs a request and the hash of its body. */
async function signed(
  { method, url, headers, body }: StoreRequest,
  {
    region = "us-east-1",
    ...keys
  }: Pick<S3StoreOptions, "accessKeyId" | "secretAccessKey" | "sessionToken" | "region">,
): Promise<Headers> {
  const { AwsV4Signer } = await import("aws4fetch").catch((cause: unknown) => {
    throw new MerostoreError(
      "NATIVE_LOAD_FAILED",
      "the package aws4fetch is missing: npm install aws4fetch",
      { cause },
    );
  });
  const signer = new AwsV4Signer({
    ...{ method, url: url.href, service: "s3", region },
    accessKeyId: keys.accessKeyId,
    secretAccessKey: keys.secretAccessKey,
    ...(keys.sessionToken !== undefined && { sessionToken: keys.sessionToken }),
    headers: { ...headers, "x-amz-content-sha256": toHex(sha256(body ?? new Uint8Array(0))) },
  });
  return (await signer.sign()).headers;
}

/** The code in the body of an error: `: AccessDenied`. */
async function codeOf(response: Response): Promise<string> {
  const text = new TextDecoder().decode(await bytesOf(response, 65_536).catch(() => new Uint8Array(0)));
  const code = /<Code>(\w{1,64})<\/Code>/.exec(text)?.[1];
  return code === undefined ? "" : `: ${code}`;
}

/** A page of the list of keys of a bucket (ListObjectsV2): XML of one form, without attributes that matter. */
interface ListedPage {
  /** The names below the prefix: keys, and folders without their `/`. */
  readonly names: readonly string[];
  /** The token of the next page; undefined for the last one. */
  readonly next: string | undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** A key, or a folder with its `/`. The first `Prefix` of a page repeats the prefix of the request. */
const KEY = /<Key>([^<]*)<\/Key>|<CommonPrefixes>\s*<Prefix>([^<]*)<\/Prefix>/g;

/** Parses a page; undefined for anything else. */
export function parseList(xml: string, prefix: string): ListedPage | undefined {
  if (!/<ListBucketResult[\s>]/.test(xml)) return undefined;
  const names: string[] = [];
  for (const [, key, folder = ""] of xml.matchAll(KEY)) {
    const path = unescaped(key ?? folder);
    const name = path.startsWith(prefix) ? path.slice(prefix.length).replace(/\/$/, "") : "";
    if (name !== "" && !name.includes("/")) names.push(name);
  }
  if (textIn(xml, "IsTruncated") !== "true") return { names, next: undefined };
  const next = textIn(xml, "NextContinuationToken");
  return next === undefined ? undefined : { names, next };
}

function textIn(xml: string, tag: string): string | undefined {
  const text = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1];
  return text === undefined ? undefined : unescaped(text);
}

function unescaped(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi,
    (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
      return code <= 0x10_ffff ? String.fromCodePoint(code) : all;
    },
  );
}
