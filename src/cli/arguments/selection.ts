/** The selected part of a database. */

import { fromHex, toHex } from "../../bytes/hex.js";
import { CalimeroNode, type ThingKind } from "../../node/index.js";
import type { Store } from "../../store/index.js";
import type { Terminal } from "../output/terminal.js";
import { GROUPS, idIn, MEMBERS, named } from "./ids.js";

/** The ids of a selection of rows. */
export interface SelectedIds {
  readonly contextId?: Uint8Array | undefined;
  readonly groupId?: Uint8Array | undefined;
  readonly memberIds?: readonly Uint8Array[] | undefined;
}

export interface SelectionOptions {
  readonly column?: readonly string[] | undefined;
  readonly context?: string | undefined;
  readonly group?: string | undefined;
  readonly member?: string | undefined;
}

/**
 * Reads the column families and ids of the options. An id may be whole, a name, or the first digits of an id in a
 * database.
 *
 * @param stores the stores for looking up names, one after another
 */
export async function parseSelection(
  { column, context, group, member }: SelectionOptions,
  ...stores: readonly Store[]
): Promise<SelectedIds & { readonly columns: readonly string[] | undefined }> {
  return {
    columns: column,
    contextId: await idOf("--context", context, ["context"], stores),
    groupId: await idOf("--group", group, GROUPS, stores),
    memberIds: await memberIdsOf(member, stores),
  };
}

/** The ids of a member, its devices and their keys, from all databases. Each of these ids means all of them. */
async function memberIdsOf(
  text: string | undefined,
  stores: readonly Store[],
): Promise<readonly Uint8Array[] | undefined> {
  const id = await idOf("--member", text, MEMBERS, stores);
  if (id === undefined) return undefined;
  const ids = new Set([toHex(id)]);
  for (const store of stores) {
    const node = new CalimeroNode(store);
    const names = await node.names();
    const account = names.ownerOf(toHex(id)) ?? names.signer(toHex(id)).id;
    ids.add(account);
    for (const { id: device, signKey } of await node.devicesOf(account)) ids.add(device).add(signKey);
  }
  return [...ids].map(fromHex);
}

/** Returns whether only rows that name a context, a group or a member are selected. */
export function selectsIds({ contextId, groupId, memberIds }: SelectedIds): boolean {
  return contextId !== undefined || groupId !== undefined || memberIds !== undefined;
}

/**
 * Remarks that no row names the context, the group and the member: their ids may have been mistyped.
 *
 * @param more the end of the sentence
 */
export function remarkNoRows(
  terminal: Terminal,
  {
    columns,
    contextId,
    groupId,
    memberIds,
  }: SelectedIds & { readonly columns?: readonly string[] | undefined },
  more = "",
): void {
  const ids = [
    ...(contextId === undefined ? [] : [`the context ${toHex(contextId)}`]),
    ...(groupId === undefined ? [] : [`the group ${toHex(groupId)}`]),
    ...(memberIds === undefined ? [] : [`the member ${toHex(memberIds[0] as Uint8Array)}`]),
  ];
  const where = columns === undefined ? "" : ` of ${columns.join(", ")}`;
  terminal.remark(`no row${where} names ${ids.join(" and ")}${more}`);
}

async function idOf(
  option: string,
  text: string | undefined,
  kinds: readonly ThingKind[],
  stores: readonly Store[],
): Promise<Uint8Array | undefined> {
  return text === undefined ? undefined : named(option, () => idIn(text, kinds, stores));
}
