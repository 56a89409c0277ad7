/** Names of capability bits, as the node's sources spell them. */

const SHARED = ["CAN_CREATE_CONTEXT", "CAN_INVITE_MEMBERS"];
const OLD = [...SHARED, "CAN_JOIN_OPEN_CONTEXTS", "MANAGE_MEMBERS", "MANAGE_APPLICATION"];
const NEW = [
  ...SHARED,
  "CAN_JOIN_OPEN_SUBGROUPS",
  "MANAGE_MEMBERS",
  "MANAGE_APPLICATION",
  "CAN_CREATE_SUBGROUP",
  "CAN_DELETE_SUBGROUP",
  "CAN_MANAGE_VISIBILITY",
  "CAN_MANAGE_METADATA",
];
const IN_CONTEXT = ["ManageApplication", "ManageMembers", "Proxy"];

/** The bit that lets a member of an open group's parent take part in the group, since core-0.11. */
export const CAN_JOIN_OPEN_SUBGROUPS = 1 << 2;

/** The names of a member's capabilities in a group, in the order of their bits: `none`, `CAN_CREATE_CONTEXT, 0x200`. */
export function capabilityNames(mask: number, accounts: boolean): string {
  return namesOf(mask, accounts ? NEW : OLD);
}

/** The names of a member's capabilities in one context. */
export function contextCapabilityNames(mask: number): string {
  return namesOf(mask, IN_CONTEXT);
}

function namesOf(mask: number, names: readonly string[]): string {
  if (mask === 0) return "none";
  const known = names.filter((_, bit) => (mask & (1 << bit)) !== 0);
  const rest = (mask & ~((1 << names.length) - 1)) >>> 0;
  return [...known, ...(rest === 0 ? [] : [`0x${rest.toString(16)}`])].join(", ");
}
