/** Selection of the rows whose keys contain an id. */
import { ID_FORMS, type IdLike, knownBytes, toId } from "../bytes/id.js";
import { equalBytes } from "../bytes/order.js";
import { checkFields, type OptionCheck, type OptionChecks } from "../options.js";
import type { Schema } from "./schema.js";

/** Selects rows: all without a field; with several fields those that name all. */
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

/** Checks that an option is a list of ids, which is not empty. */
const areIds: OptionCheck = (value) =>
  Array.isArray(value) && value.length > 0 && value.every((id) => isId(id) === undefined)
    ? undefined
    : `a list of ids: ${ID_FORMS}`;

/** Tells whether a row is selected. A row of unknown kind never is. */
export type RowFilter = (schema: Schema, column: string, key: Uint8Array) => boolean;

/**
 * Returns the filter of a selection. Ids are copied. @throws MerostoreError `INVALID_ARGUMENT` for anything but an id
 */
export function rowFilter(selection: RowSelection): RowFilter {
  checkFields("a selection of rows", selection, { contextId: isId, groupId: isId, memberIds: areIds });
  const { contextId, groupId, memberIds } = selection;
  const wanted: Wanted[] = [];
  if (contextId !== undefined) wanted.push({ ids: [toId(contextId)], parts: CONTEXT_PARTS });
  if (groupId !== undefined) wanted.push({ ids: [toId(groupId)], parts: GROUP_PARTS });
  if (memberIds !== undefined) wanted.push({ ids: memberIds.map(toId), parts: MEMBER_PARTS });
  return (schema, column, key) => wanted.length === 0 || namesAll(schema, column, key, wanted);
}

/** Ids of which one is wanted, and the names of the parts of keys that may contain it. */
interface Wanted {
  readonly ids: readonly Uint8Array[];
  readonly parts: RegExp;
}

/** The scope of an alias or an operation is the id of a context or a group. */
const CONTEXT_PARTS = /^(contextId|scope)$/;
const GROUP_PARTS = /^(groupId|parentGroupId|childGroupId|namespaceId|scope)$/;
const MEMBER_PARTS = /^(member|identity|account|accountId|publicKey|departed|deviceId|device|author|signer)$/;

function namesAll(schema: Schema, column: string, key: Uint8Array, wanted: readonly Wanted[]): boolean {
  const known = schema.identify(column, key);
  if (known === undefined) return false;
  const values = known.key.view(key) as unknown as Readonly<Record<string, unknown>>;
  return wanted.every(({ ids, parts }) =>
    known.key.PARTS.some(({ name }) => {
      const value = parts.test(name) ? values[name] : undefined;
      return value instanceof Uint8Array && ids.some((id) => equalBytes(value, id));
    }),
  );
}

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
