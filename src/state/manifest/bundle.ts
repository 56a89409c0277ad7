/** The manifest in a bundle: a tar archive, packed with gzip, with a file `manifest.json` that names the others. */
import { isByteArray } from "../../bytes/bytes.js";
import { toHex } from "../../bytes/hex.js";
import { quoted } from "../../bytes/visible.js";
import { sha256 } from "../../crypto/index.js";
import { isMerostoreError, MerostoreError, orUndefined } from "../../errors.js";
import type { BundleName } from "../../node/tables/applications.js";
import { checkArgument } from "../../options.js";
import { gunzip, isGzip } from "./gunzip.js";
import { isModestJson } from "./json-text.js";
import type { Manifest } from "./manifest.js";
import { parseManifest } from "./parse.js";
import { JsonPlace } from "./place.js";
import { tarFiles } from "./tar.js";
import { manifestOfWasm } from "./wasm.js";

const BUNDLE_FILE = "manifest.json";
/** Bytes of it that are read. */
const MOST_BYTES = 1024 * 1024;

/** The most files of a bundle. Builds write a few. */
const MOST_FILES = 10_000;

/** The choice of a manifest in a bundle. */
export interface BundleOptions {
  /** The service, in a bundle of several. */
  readonly service?: string | undefined;
}

/** A file that a bundle names. */
interface Artifact {
  readonly path: string;
  /** SHA-256 of its content, 64 hex digits; undefined if the bundle gives none. */
  readonly hash: string | undefined;
}

/** One program of a bundle. */
interface Service {
  readonly wasm: Artifact | undefined;
  readonly abi: Artifact | undefined;
}

/**
 * The manifest in a bundle: the manifest in its module, or else the file that the bundle names as `abi`, with a check
 * of its hash.
 *
 * @throws MerostoreError `ABI_NOT_FOUND` without a manifest, or if the bundle is damaged; `UNKNOWN_NAME` if it has no
 * such service; `AMBIGUOUS_NAME` if it has several services and none is named
 * @throws ManifestError if the manifest cannot be used
 */
export async function manifestOfBundle(
  bytes: Uint8Array,
  { service }: BundleOptions = {},
): Promise<Manifest> {
  checkArgument("manifestOfBundle", bytes, isByteArray);
  const { files, root } = await unpacked(bytes);
  const { wasm, abi } = serviceOf(root, service);
  let problem: unknown;
  if (wasm !== undefined)
    try {
      return manifestOfWasm(contentOf(files, wasm));
    } catch (error) {
      if (!isMerostoreError(error, "ABI_NOT_FOUND") && !isMerostoreError(error, "ABI_UNSUPPORTED_VERSION"))
        throw error;
      problem = error;
    }
  if (abi !== undefined) return parseManifest(contentOf(files, abi));
  throw problem ?? notFound("the bundle names neither a module nor a manifest");
}

/**
 * The package and version that a bundle's `manifest.json` gives.
 *
 * @throws MerostoreError `ABI_NOT_FOUND` if the bytes are not a bundle, or the bundle is damaged
 * @throws ManifestError if it names no package
 */
export async function nameOfBundle(bytes: Uint8Array): Promise<BundleName> {
  const { root } = await unpacked(bytes);
  return { package: root.member("package").text(), version: root.optional("appVersion")?.text() };
}

/** The files of a bundle by path, and the content of its `manifest.json`. */
async function unpacked(
  bytes: Uint8Array,
): Promise<{ readonly files: ReadonlyMap<string, Uint8Array | undefined>; readonly root: JsonPlace }> {
  if (!isGzip(bytes)) throw notFound("not a bundle: it is not packed with gzip");
  const files = filesOf(await gunzip(bytes));
  const list = files.get(BUNDLE_FILE);
  if (list === undefined) throw notFound(`not a bundle: it has no file ${BUNDLE_FILE}`);
  return { files, root: bundleRoot(list) };
}

/** The files of an archive by path; undefined for a path that several have. */
function filesOf(archive: Uint8Array): ReadonlyMap<string, Uint8Array | undefined> {
  const files = new Map<string, Uint8Array | undefined>();
  for (const { path, content } of tarFiles(archive)) {
    files.set(path, files.has(path) ? undefined : content);
    if (files.size > MOST_FILES) throw notFound(`the bundle has more than ${MOST_FILES} files`);
  }
  return files;
}

function bundleRoot(list: Uint8Array): JsonPlace {
  const json: unknown =
    list.length > MOST_BYTES
      ? undefined
      : orUndefined(() => jsonOf(new TextDecoder("utf-8", { fatal: true }).decode(list)));
  if (json === undefined) throw notFound(`${BUNDLE_FILE} of the bundle is not JSON`);
  return JsonPlace.root(json);
}

function jsonOf(text: string): unknown {
  return isModestJson(text) ? JSON.parse(text) : undefined;
}

/** The program that runs: the program of a service, or the only program. */
function serviceOf(root: JsonPlace, name: string | undefined): Service {
  const services = root.itemsOf("services");
  if (services.length === 0 && name === undefined) return programOf(root);
  const names = services.map((one) => one.member("name").text());
  const listed = names.slice(0, 20).map(quoted).join(", ");
  if (name === undefined) {
    if (services[0] !== undefined && services.length === 1) return programOf(services[0]);
    throw new MerostoreError("AMBIGUOUS_NAME", `the bundle has several services: name one of ${listed}`);
  }
  const found = services.filter((_, at) => names[at] === name);
  if (found[0] !== undefined && found.length === 1) return programOf(found[0]);
  throw new MerostoreError(
    found.length === 0 ? "UNKNOWN_NAME" : "AMBIGUOUS_NAME",
    `the bundle has ${found.length === 0 ? "no service" : "several services"} ${quoted(name)}; it has ${listed || "none by name"}`,
  );
}

function programOf(place: JsonPlace): Service {
  return { wasm: artifactOf(place.optional("wasm")), abi: artifactOf(place.optional("abi")) };
}

function artifactOf(place: JsonPlace | undefined): Artifact | undefined {
  return (
    place && {
      path: place
        .member("path")
        .text()
        .replace(/^(\.\/)+/, ""),
      hash: place
        .optional("hash")
        ?.text()
        .replace(/^sha256:/, "")
        .toLowerCase(),
    }
  );
}

function contentOf(files: ReadonlyMap<string, Uint8Array | undefined>, { path, hash }: Artifact): Uint8Array {
  const content = files.get(path);
  if (content === undefined)
    throw notFound(`the bundle has ${files.has(path) ? "several files" : "no file"} ${quoted(path)}`);
  if (hash !== undefined && hash !== toHex(sha256(content)))
    throw new MerostoreError(
      "ABI_INVALID",
      `the file ${quoted(path)} of the bundle does not have the hash that ${BUNDLE_FILE} gives`,
    );
  return content;
}

function notFound(problem: string): MerostoreError {
  return new MerostoreError("ABI_NOT_FOUND", problem);
}
