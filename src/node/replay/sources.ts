/** The tables that the replays of all namespaces of a database share, read once. */
import { fromHex, toHex } from "../../bytes/hex.js";
import type { OperationLayouts } from "../../payloads/index.js";
import { Keyring } from "../history/keyring.js";
import { operationsOf } from "../history/stored.js";
import { readApplications } from "../tables/applications.js";
import { type OwnNode, readOwnSigners } from "../tables/own.js";
import { type NodeReader, rowsOf } from "../tables/rows.js";

/** A database, and the data that all its replays need. */
export interface Sources {
  readonly reader: NodeReader;
  /** This node, by all keys that are known to be its own. */
  readonly own: OwnNode;
  /** True if accounts act, as since core-0.11; before, keys do. */
  readonly accounts: boolean;
  /** The layouts of the operations. */
  readonly layouts: OperationLayouts;
  readonly keyring: Keyring;
  /** Ids of all applications that the database names: a group may have had any of them. */
  readonly applications: readonly Uint8Array[];
}

/** Reads the data that replays share. */
export async function readSources(reader: NodeReader): Promise<Sources> {
  const layouts = operationsOf(reader);
  const applications = new Set((await readApplications(reader)).keys());
  for await (const groups of rowsOf(reader, "GroupMeta"))
    for (const { value } of groups) applications.add(toHex(value.targetApplicationId));
  return {
    reader,
    own: await readOwnSigners(reader),
    accounts: layouts.accounts,
    layouts,
    keyring: await Keyring.read(reader),
    applications: [...applications].map(fromHex),
  };
}
