/** Options that several commands have. */
import { Option } from "commander";
import { folderEngines } from "../engines/index.js";
import { revisions } from "../schemas/index.js";

/** Names of the revisions. */
export const names: readonly string[] = revisions.map(({ name }) => name);
export const newest = names.at(-1);
export const revision = () =>
  new Option("--revision <name>", "read as this revision instead of detecting it").choices(names);
export const json = () => new Option("--json", "one JSON object a line, also on a terminal");
export const reveal = () =>
  new Option("--reveal-secrets", "show private keys, shared keys and private state");
export const base58 = () => new Option("--base58", "show ids as base58 instead of hex");
export const thorough = () =>
  new Option("--thorough", "look at every row to find the revision, not only at some");
export const engine = () =>
  new Option("--engine <name>", "how to read: by the files alone, or with RocksDB itself").choices(
    folderEngines,
  );
export const logLoss = () =>
  new Option(
    "--accept-log-loss",
    "open for writing although the write-ahead log ends in damage; drops what follows it",
  );
