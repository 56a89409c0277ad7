/** Names of capability bits, as the node's sources spell them. */
import { Capability, Capability010, ContextCapability } from "../values/index.js";

type Bits = Readonly<Record<string, number>>;

/** The names of a member's capabilities in a group, in the order of their bits: `none`, `CAN_CREATE_CONTEXT, 0x200`. */
export function capabilityNames(mask: number, accounts: boolean): string {
  return namesOf(mask, accounts ? Capability : Capability010, upperCase);
}

/** The names of a member's capabilities in one context: `ManageMembers, Proxy`. */
export function contextCapabilityNames(mask: number): string {
  return namesOf(mask, ContextCapability, (name) => name);
}

function namesOf(mask: number, bits: Bits, spelled: (name: string) => string): string {
  if (mask === 0) return "none";
  const named = Object.entries(bits).toSorted(([, a], [, b]) => a - b);
  const known = named.filter(([, bit]) => (mask & bit) !== 0).map(([name]) => spelled(name));
  const rest = named.reduce((left, [, bit]) => left & ~bit, mask) >>> 0;
  return [...known, ...(rest === 0 ? [] : [`0x${rest.toString(16)}`])].join(", ");
}

/** `CanCreateContext` → `CAN_CREATE_CONTEXT`. */
function upperCase(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toUpperCase();
}
