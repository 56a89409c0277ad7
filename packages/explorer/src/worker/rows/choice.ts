/** The choice of rows: the rows of a kind with given leading parts, or the rows of no known kind in a column family. */

import type { AnyKeyClass } from "merostore";
import { isMerostoreError, MerostoreError } from "merostore";
import type { ByteRange, RawRow } from "merostore/engine";
import type { ThingKind } from "merostore/node";
import type { Database } from "../database/database.js";

/** The choice of rows in an address. */
export interface RowChoice {
  /** The name of the kind; `column:State` for rows of no known kind in a column family. */
  readonly kind: string;
  /** Leading parts of the key as a person wrote them: names, ids, numbers. */
  readonly parts: Readonly<Record<string, string>>;
  /** Their order and filter; undefined for all of them in the order of their keys. */
  readonly order?: RowOrder | undefined;
}

/** An order of rows other than the order of their keys, and a filter. */
export interface RowOrder {
  /** The column to sort by, `-` before it from the last to the first; empty for the order of the keys. */
  readonly sort: string;
  /** The filter, as a person wrote it; empty for none. */
  readonly where: string;
}

/** Chosen rows as bytes. */
export interface ChosenRows {
  readonly column: string;
  readonly range: ByteRange;
  /** The class of their keys; undefined for rows of no known kind. */
  readonly key: AnyKeyClass | undefined;
  /** Returns whether a row in the range is one of them. */
  readonly isChosen: (row: RawRow) => boolean;
  /** The parts in the words of a command. */
  readonly words: readonly string[];
}

const UNKNOWN = "column:";

/** The name, in addresses, for the rows of no known kind in a column family. */
export function unknownKind(column: string): string {
  return `${UNKNOWN}${column}`;
}

/** The column family of the rows of a kind. @throws MerostoreError for an unknown kind */
export function columnOf({ store }: Database, kind: string): string {
  return kind.startsWith(UNKNOWN) ? kind.slice(UNKNOWN.length) : store.schema.row(kind as never).column;
}

/**
 * Finds chosen rows.
 *
 * @throws MerostoreError for an unknown kind, and for parts without a meaning
 */
export async function chooseRows(database: Database, { kind, parts }: RowChoice): Promise<ChosenRows> {
  const { schema } = database.store;
  if (kind.startsWith(UNKNOWN)) {
    const column = kind.slice(UNKNOWN.length);
    return {
      column,
      range: {},
      key: undefined,
      isChosen: ({ key }) => schema.identify(column, key) === undefined,
      words: [],
    };
  }
  const { key } = schema.row(kind as never) as { readonly key: AnyKeyClass };
  const values: Record<string, unknown> = {};
  const words: string[] = [];
  for (const part of key.PARTS) {
    const text = parts[part.name];
    if (text === undefined || text === "") break;
    const value = part.parse(text) ?? part.parse(await idOf(database, part.name, text));
    if (value === undefined || part.refuse(value) !== undefined)
      throw new MerostoreError("INVALID_ARGUMENT", `${part.name}: nothing is called ${JSON.stringify(text)}`);
    values[part.name] = value;
    words.push(`${part.name}=${text}`);
  }
  const { column, gte, lt } = key.range(values);
  return { column, range: { gte, lt }, key, isChosen: (row) => key.matches(row.key), words };
}

/** The kinds of things that parts of keys name. */
const THINGS: Readonly<Record<string, readonly ThingKind[]>> = {
  contextId: ["context"],
  groupId: ["group", "namespace"],
  parentGroupId: ["group", "namespace"],
  childGroupId: ["group", "namespace"],
  namespaceId: ["namespace"],
  applicationId: ["application"],
};

/** The id that a name, or the first digits of an id, means. */
async function idOf({ node }: Database, part: string, text: string): Promise<string> {
  try {
    return (await node.resolve(text, THINGS[part])).id;
  } catch (error) {
    if (isMerostoreError(error, "UNKNOWN_NAME")) return "";
    throw error;
  }
}
