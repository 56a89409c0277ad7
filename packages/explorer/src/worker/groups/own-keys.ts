/** This node's account, device and keys. Secrets are left out unless they are revealed. */
import { rowToJson, type Schema } from "merostore";
import type { RowJson } from "merostore/internal";
import type { Database } from "../database/database.js";

/** The kinds of rows with a node's own keys: one row of each in core-0.11. */
const KINDS = ["NodeIdentity", "NodeDeviceIdentity", "NodeAccountRoot", "NamespaceIdentity"] as const;
/** The most rows of a kind that are shown. */
const MOST_ROWS = 20;

/** A row with keys of this node. */
export interface OwnRow {
  readonly kind: string;
  /** The key of the row, in hex. */
  readonly key: string;
  /** The id that the row is about: of a namespace before core-0.11. */
  readonly of: { readonly id: string; readonly name: string | undefined } | undefined;
  /** The fields. The value of a secret is undefined unless secrets are revealed. */
  readonly fields: readonly {
    readonly name: string;
    readonly isSecret: boolean;
    readonly value: string | undefined;
  }[];
}

/** The identities of this node. */
export interface OwnKeys {
  readonly account: string | undefined;
  readonly device: string | undefined;
  readonly publicKeys: readonly string[];
  readonly rows: readonly OwnRow[];
}

/** @param revealed whether secrets are part of the answer */
export async function ownKeys({ store, node }: Database, revealed: boolean): Promise<OwnKeys> {
  const { account, device, publicKeys } = await node.own();
  const names = await node.names();
  const rows: OwnRow[] = [];
  const schema: Schema = store.schema;
  for (const { kind, column, key: keys } of schema.rows) {
    if (!(KINDS as readonly string[]).includes(kind) || !store.columns.includes(column)) continue;
    const { gte, lt } = keys.range({});
    for await (const chunk of store.raw.scan(column, { gte, lt }, { limit: MOST_ROWS }).chunks())
      for (const row of chunk) {
        const { key, parts, decoded } = rowToJson(schema, column, row);
        const plain = rowToJson(schema, column, row, { revealSecrets: true }).decoded;
        const id = Object.values(parts ?? {}).find((part) => typeof part === "string");
        rows.push({
          kind,
          key,
          of: id === undefined ? undefined : { id, name: names.of(id)?.name },
          fields: fieldsOf(decoded, plain, revealed),
        });
      }
  }
  return { account, device, publicKeys: [...publicKeys], rows };
}

function fieldsOf(
  redacted: RowJson["decoded"],
  plain: RowJson["decoded"],
  revealed: boolean,
): OwnRow["fields"] {
  const stored = new Map(entriesOf(plain));
  return entriesOf(redacted).map(([name, value]) => {
    // The stored text may itself be this word.
    const isSecret = value === "redacted" && stored.get(name) !== value;
    if (!isSecret) return { name, isSecret, value };
    return { name, isSecret, value: revealed ? stored.get(name) : undefined };
  });
}

function entriesOf(decoded: RowJson["decoded"]): readonly (readonly [name: string, value: string])[] {
  if (decoded === undefined || decoded === null) return [];
  if (typeof decoded !== "object") return [["value", String(decoded)]];
  return Object.entries(decoded).map(([name, value]) => [name, String(value)]);
}
