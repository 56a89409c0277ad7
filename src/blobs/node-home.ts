/** The home folder of a node, and the other folders in its configuration. */
import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { parse } from "smol-toml";
import { folderPath, type PathOrUrl } from "../disk/location.js";
import { invalidArgument, type MerostoreError, orUndefined } from "../errors.js";

/** The most bytes of a configuration. Nodes have a few thousand. */
const MOST_BYTES = 1024 * 1024;

/**
 * The folders of a node's data. No other part of the configuration is read, because it contains the node's private key.
 */
export interface NodeHome {
  /** The path of the home folder. This path and the others are absolute if `nodeHome` returns them. */
  readonly path: string;
  /** The path of the configuration; undefined for a home without one. */
  readonly config: string | undefined;
  /** The folder of the database. */
  readonly data: string;
  /** The folder of the blobs' files. */
  readonly blobs: string;
  /** True if a `[tee]` section says that the node encrypts the values of its database. */
  readonly encrypts: boolean;
}

/** The name of the configuration in a home folder. */
const CONFIG = "config.toml";

/**
 * The home folder of a node; undefined for a folder without `config.toml`. Paths that the configuration lacks are
 * `data` and `blobs`.
 *
 * @param location a path or a `file:` URL
 * @throws MerostoreError `INVALID_ARGUMENT` if `config.toml` is not the configuration of a node. The message contains
 *   none of its content.
 */
export function nodeHome(location: PathOrUrl): NodeHome | undefined {
  const home = resolve(folderPath(location, "the home of a node"));
  const config = join(home, CONFIG);
  const found = orUndefined(() => statSync(config, { throwIfNoEntry: false }));
  if (found?.isFile() !== true) return undefined;
  const refused = (why: string): MerostoreError =>
    invalidArgument(`${config} is not the configuration of a node: ${why}`);
  if (found.size > MOST_BYTES) throw refused(`it is larger than ${MOST_BYTES} bytes`);
  const text = orUndefined(() => readFileSync(config, "utf8"));
  if (text === undefined) throw refused("it cannot be read");
  const read = orUndefined(() => parse(text)); // the parser's error would quote the file
  if (read === undefined) throw refused("it is not TOML");
  const folder = (section: string, usual: string): string => {
    const table: unknown = read[section];
    const named = typeof table === "object" && table !== null && "path" in table ? table.path : usual;
    if (typeof named !== "string" || named === "" || named.includes("\0"))
      throw refused(`[${section}] path is not a path`);
    return isAbsolute(named) ? named : join(home, named);
  };
  return {
    path: home,
    config,
    data: folder("datastore", "data"),
    blobs: folder("blobstore", "blobs"),
    encrypts: "tee" in read,
  };
}

/** The home of the node whose database is at a path, if the parent folder is a home; otherwise undefined. */
export function nodeHomeOf(database: string): NodeHome | undefined {
  const home = orUndefined(() => nodeHome(dirname(resolve(database))));
  return home !== undefined && resolve(home.data) === resolve(database) ? home : undefined;
}
