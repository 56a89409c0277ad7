/** Tests whether a person is this node. */
import type { Named } from "merostore/node";
import type { Database } from "./database.js";

/** Recognises this node by its account, its device and its keys. */
export async function ownOf({ node }: Database): Promise<(person: Named | undefined) => boolean> {
  const { account, device, publicKeys } = await node.own();
  return (person) =>
    person !== undefined && (person.id === account || person.id === device || publicKeys.has(person.id));
}
