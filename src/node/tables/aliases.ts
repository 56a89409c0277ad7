/** The names that this node's user gave: rows of Alias, by the things that they name. */

import { toHex } from "../../bytes/hex.js";
import { append } from "../../collections/lists.js";
import { AliasKind } from "../../keys/index.js";
import { type NodeReader, rowsOf } from "./rows.js";

/** The names of each id, in the order of the names. Ids are 64 hex digits. */
export interface AliasRecords {
  readonly contexts: ReadonlyMap<string, readonly string[]>;
  readonly identities: ReadonlyMap<string, readonly string[]>;
  readonly applications: ReadonlyMap<string, readonly string[]>;
}

/** Reads the aliases. Those of unknown kinds are left out. */
export async function readAliases(reader: NodeReader): Promise<AliasRecords> {
  const contexts = new Map<string, string[]>();
  const identities = new Map<string, string[]>();
  const applications = new Map<string, string[]>();
  const lists: Readonly<Record<number, Map<string, string[]>>> = {
    [AliasKind.Context]: contexts,
    [AliasKind.Identity]: identities,
    [AliasKind.Application]: applications,
  };
  for await (const rows of rowsOf(reader, "Alias"))
    for (const { key, value } of rows) {
      const list = lists[key.aliasKind];
      if (list !== undefined) append(list, toHex(value), key.name);
    }
  return { contexts, identities, applications };
}
