/** Selection of the rows whose keys contain an id. */
import { ID_FORMS, type IdLike, knownBytes, toId } from "../bytes/id.js";
import { compareBytes, equalBytes } from "../bytes/order.js";
import type { ByteRange } from "../engine/engine.js";
import type { AnyKeyClass, AnyPart } from "../keys/index.js";
import { checkFields, type OptionCheck, type OptionChecks } from "../options.js";
import type { Schema } from "./schema.js";

/** Selects rows: all rows without a field; with several fields the rows that match each. */
export interface RowSelection {
  /** Rows whose key names this context. */
  readonly contextId?: IdLike | undefined;
  /** Rows whose key names this group or namespace. */
  readonly groupId?: IdLike | undefined;
  /** Rows whose key names one of these: the account, devices and public keys of a member. */
  readonly memberIds?: readonly IdLike[] | undefined;
}

/** Checks that an option is an id. */
const isId: OptionCheck = (value) => (knownBytes(value) === undefined ? ID_FORMS : undefined);

/** Checks that an option is a non-empty list of ids. */
const areIds: OptionCheck = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((id) => isId(id) === undefined)
    ? undefined
    : `a list of ids: ${ID_FORMS}`;

/** The rows of a selection. */
export interface SelectedRows {
  /** True if every row is selected. */
  readonly all: boolean;
  /** Tells whether a row is selected. A row of unknown kind never is. */
  has(schema: Schema, column: string, key: Uint8Array): boolean;
  /**
   * The ranges of a column family that contain all selected rows, and perhaps others. They ascend and do not overlap.
   */
  ranges(column: string, ...schemas: readonly Schema[]): readonly ByteRange[];
}

/**
 * Returns the rows of a selection. Ids are copied. @throws MerostoreError `INVALID_ARGUMENT` for anything but an id
 */
export function selectRows(selection: RowSelection): SelectedRows {
  checkFields("a selection of rows", selection, { contextId: isId, groupId: isId, memberIds: areIds });
  const { contextId, groupId, memberIds } = selection;
  const wanted: Wanted[] = [];
  if (contextId !== undefined) wanted.push({ ids: [toId(contextId)], parts: CONTEXT_PARTS });
  if (groupId !== undefined) wanted.push({ ids: [toId(groupId)], parts: GROUP_PARTS });
  if (memberIds !== undefined) wanted.push({ ids: memberIds.map(toId), parts: MEMBER_PARTS });
  if (wanted.length === 0) return { all: true, has: () => true, ranges: () => [{}] };
  return {
    all: false,
    has: (schema, column, key) => namesAll(schema, column, key, wanted),
    ranges(column, ...schemas) {
      const keys = new Set(schemas.flatMap(({ rows }) => rows.map(({ key }) => key)));
      const own = [...keys].filter((key) => key.COLUMN === column);
      return joined(own.flatMap((key) => rangesOf(key, wanted)));
    },
  };
}

/** Ids, and the names of the parts of keys that may contain them. A row must contain one of the ids. */
interface Wanted {
  readonly ids: readonly Uint8Array[];
  readonly parts: RegExp;
}

/** The scope of an alias or an operation is the id of a context or a group. */
const CONTEXT_PARTS = /^(contextId|scope)$/;
const GROUP_PARTS = /^(groupId|parentGroupId|childGroupId|namespaceId|accountNamespaceId|scope)$/;
const MEMBER_PARTS =
  /^(member|identity|account|accountId|publicKey|departed|deviceId|device|deviceKey|signer)$/;

function namesAll(schema: Schema, column: string, key: Uint8Array, wanted: readonly Wanted[]): boolean {
  const known = schema.identify(column, key);
  if (known === undefined) return false;
  const values = known.key.view(key) as unknown as Readonly<Record<string, unknown>>;
  return wanted.every(({ ids, parts }) =>
    known.key.PARTS.some((part) => {
      const value = parts.test(part.name) ? values[part.name] : undefined;
      return (
        value instanceof Uint8Array && ids.some((id) => equalBytes(value, id)) && !standsForNone(part, value)
      );
    }),
  );
}

/** The zeros in the scope of an alias: they stand for "none", not for an id. */
function standsForNone({ names = [], parse }: AnyPart, value: Uint8Array): boolean {
  return names.some((name) => equalBytes(parse(name) as Uint8Array, value));
}

/** The ranges of the keys of a class that name one id of each of these lists. */
function rangesOf(key: AnyKeyClass, wanted: readonly Wanted[]): readonly ByteRange[] {
  const named = wanted.map(({ parts }) => key.PARTS.filter(({ name }) => parts.test(name)));
  if (named.some((parts) => parts.length === 0)) return [];
  const [first] = key.PARTS;
  // The leading part is known if no other part can name the id.
  const at = named.findIndex((parts) => parts.length === 1 && parts[0] === first);
  if (first === undefined || at < 0) return [key.range({})];
  const ids = (wanted[at] as Wanted).ids.filter((id) => first.refuse(id) === undefined);
  return ids.map((id) => key.range({ [first.name]: id }));
}

function joined(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const from = ({ gte = NO_BYTES }: ByteRange): Uint8Array => gte;
  const found: { gte: Uint8Array; lt: Uint8Array | undefined }[] = [];
  for (const range of ranges.toSorted((a, b) => compareBytes(from(a), from(b)))) {
    const [gte, last] = [from(range), found.at(-1)];
    if (last === undefined || (last.lt !== undefined && compareBytes(last.lt, gte) < 0))
      found.push({ gte, lt: range.lt });
    else if (last.lt !== undefined && (range.lt === undefined || compareBytes(last.lt, range.lt) < 0))
      last.lt = range.lt;
  }
  return found;
}

const NO_BYTES = new Uint8Array(0);

const areNames: OptionCheck = (value) =>
  Array.isArray(value) && value.every((name) => typeof name === "string") ? undefined : "a list of strings";

/** A selection of rows in some column families. */
export interface SelectionOfColumns extends RowSelection {
  /** Names of column families; all if undefined. */
  readonly columns?: readonly string[] | undefined;
}

/** Checks of the options of a function that takes a selection and names of column families. */
export const selectionOptions: OptionChecks<SelectionOfColumns> = {
  columns: areNames,
  contextId: isId,
  groupId: isId,
  memberIds: areIds,
};
