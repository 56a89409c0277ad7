/** The right of a member to do something in a group, and the operations that decided it. */
import { invalidArgument, MerostoreError } from "../../errors.js";
import { checkArgument, hasMembers } from "../../options.js";
import { Capability } from "../../values/index.js";
import { capabilityNames } from "../capabilities.js";
import type { GroupDetails } from "../group-details.js";
import type { Operation } from "../history/operation.js";
import { operationsOf } from "../history/stored.js";
import type { Member } from "../members.js";
import type { Named } from "../names.js";
import type { MemberChange } from "../replay/index.js";
import { thingsIn } from "../sentences/sentence.js";
import { UNKNOWN_ROLE } from "../tables/members.js";
import type { KindName, NodeReader } from "../tables/rows.js";
import { type Action, actions, type Need } from "./actions.js";
import type { Permission, PermissionQuestion, PermissionStep } from "./answer.js";

/**
 * Finds out whether a member may do something in a group, and which operations decided it.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for an action that the revision does not have; `UNKNOWN_NAME` for a group
 * that is not there
 */
export async function permissionOf(question: PermissionQuestion): Promise<Permission> {
  checkArgument(
    "permissionOf",
    question,
    hasMembers("a question", "node", "now", "reader", "member", "action", "group"),
  );
  const { node, member, reader } = question;
  const layouts = operationsOf(reader as unknown as NodeReader);
  const action = actions.find(({ name }) => name === question.action) as Action;
  const need = reader.schema.name === "documented" ? undefined : action.needs[layouts.revision];
  if (need === undefined)
    throw invalidArgument(`who may ${action.says} a group in ${reader.schema.name} is not known`);
  const details = await node.groupDetails(question.group);
  if (details === undefined)
    throw new MerostoreError(
      "UNKNOWN_NAME",
      `the database has no row of group ${question.group.slice(0, 8)}`,
    );
  const { steps, isOpen } = await new Asked(question, details, layouts.accounts).steps(need);
  const refused = steps.find(({ holds }) => holds === false);
  const reason = refused?.says ?? (isOpen ? UNREAD : undefined);
  return {
    member,
    action: question.action,
    group: details.group,
    allowed: refused === undefined && isOpen ? undefined : reason === undefined,
    reason,
    steps,
  };
}

/** The answer to a question that rows decide which cannot be read. */
const UNREAD = "not known: rows about it cannot be read";

class Asked {
  readonly #question: PermissionQuestion;
  readonly #details: GroupDetails;
  readonly #accounts: boolean;
  readonly #explained = new Map<string, readonly MemberChange[]>();

  constructor(question: PermissionQuestion, details: GroupDetails, accounts: boolean) {
    this.#question = question;
    this.#details = details;
    this.#accounts = accounts;
  }

  /** The answers, and whether rows that were not read leave one of them open. */
  async steps(need: Need): Promise<{ readonly steps: readonly PermissionStep[]; readonly isOpen: boolean }> {
    const { group, namespace } = this.#details;
    const of = "inNamespace" in need || need.kind === "owner-or-capability" ? namespace : group;
    const members = await this.#question.node.members(of.id);
    const member = members.find((one) => one.member.id === this.#question.member.id);
    const steps = [await this.#membership(of, member), ...(await this.#needed(need, member, members))];
    if (this.#accounts) steps.push(await this.#device(member));
    steps.push(await this.#key());
    const open = new Set(steps.filter((step) => this.#isOpen(step, member)));
    return {
      steps: steps.map((step) => (open.has(step) ? { ...step, holds: undefined, says: UNREAD } : step)),
      isOpen: open.size > 0,
    };
  }

  /** True if rows that were not read may change the answer. */
  #isOpen({ question, holds }: PermissionStep, member: Member | undefined): boolean {
    if (member?.role === UNKNOWN_ROLE && question === "role") return true;
    const { node, now } = this.#question;
    const isUnread = (id: string): boolean => node.unread.isOfGroup(id) || now.unread.isOfGroup(id);
    return holds === false && (isUnread(this.#details.group.id) || isUnread(this.#details.namespace.id));
  }

  async #membership(of: Named, member: Member | undefined): Promise<PermissionStep> {
    if (member !== undefined) {
      const { role, through } = member;
      const says = `${role === UNKNOWN_ROLE ? "a member" : role} of ${label(of)}${through === undefined ? "" : `, through ${label(through)}`}`;
      return { question: "member", holds: true, says, operation: await this.#roleOf(member, of.id) };
    }
    const details = await this.#question.node.groupDetails(of.id);
    const gone = details?.gone.find((one) => one.member.id === this.#question.member.id)?.why;
    const operation =
      (await this.#decided(of.id, "GroupMember")) ??
      (await this.#decided(of.id, "GroupInheritedDeniedMember"));
    const why = gone === "Left" ? "left" : gone === "Removed" ? "was removed from" : "is not a member of";
    const above = details?.record.visibility === 0 ? details.parent : undefined;
    if (gone !== undefined || above === undefined)
      return { question: "member", holds: false, says: `${why} ${label(of)}`, operation };
    const name = capabilityNames(Capability.CanJoinOpenSubgroups, true);
    return {
      question: "member",
      holds: false,
      says: `has no row in ${label(of)}, and is no member through ${label(above)} without ${name} there`,
      operation: await this.#decided(above.id, "GroupMemberCapability", "GroupMember"),
    };
  }

  async #needed(
    need: Need,
    member: Member | undefined,
    members: readonly Member[],
  ): Promise<readonly PermissionStep[]> {
    const { group, namespace } = this.#details;
    switch (need.kind) {
      case "writer": {
        if (member === undefined) return [];
        const writes = !member.role.startsWith("ReadOnly");
        const says = `${member.role} ${writes ? "may write" : "may only read"}`;
        return [{ question: "role", holds: writes, says, operation: await this.#roleOf(member, group.id) }];
      }
      case "admin":
        return [await this.#admin(need.inNamespace ? namespace.id : group.id)];
      case "capability":
        // Only groups directly under the namespace are made with a capability.
        if (need.inNamespace && group.id !== namespace.id) return [await this.#admin(namespace.id)];
        return [await this.#capability(need.inNamespace ? namespace.id : group.id, need.bit)];
      case "owner":
        return [await this.#owner()];
      case "owner-or-capability": {
        const owner = await this.#owner();
        return owner.holds === true
          ? [owner]
          : [await this.#capability(namespace.id, need.bit, "not the owner; ")];
      }
      case "leaver": {
        const owner = await this.#owner();
        if (owner.holds === true)
          return [{ ...owner, holds: false, says: `the owner of ${label(group)} cannot leave it` }];
        const admins = members.filter(({ role, through }) => role === "Admin" && through === undefined);
        const isLast = member?.role === "Admin" && admins.length === 1;
        const says = isLast
          ? `the last admin of ${label(group)} cannot leave it`
          : "neither owner nor the last admin";
        return [{ question: "role", holds: !isLast, says, operation: undefined }];
      }
    }
  }

  async #memberIn(group: string): Promise<Member | undefined> {
    return (await this.#question.node.members(group)).find(
      (one) => one.member.id === this.#question.member.id,
    );
  }

  async #isAdmin(group: string, member: Member | undefined): Promise<boolean> {
    const details = await this.#question.node.groupDetails(group);
    return member?.role === "Admin" || details?.admin?.id === this.#question.member.id;
  }

  async #admin(group: string): Promise<PermissionStep> {
    const member = await this.#memberIn(group);
    const holds = await this.#isAdmin(group, member);
    const of = label(await this.#named(group));
    const operation = member === undefined ? undefined : await this.#roleOf(member, group);
    return {
      question: "role",
      holds,
      says: holds ? `an admin of ${of}` : `needs to be an admin of ${of}`,
      operation,
    };
  }

  async #capability(group: string, bit: number, before = ""): Promise<PermissionStep> {
    const member = await this.#memberIn(group);
    const of = label(await this.#named(group));
    const name = capabilityNames(bit, this.#accounts);
    if (await this.#isAdmin(group, member)) {
      const operation = member === undefined ? undefined : await this.#roleOf(member, group);
      return { question: "capability", holds: true, says: `an admin of ${of} needs no ${name}`, operation };
    }
    const mask = member?.capabilities ?? 0;
    const holds = (mask & bit) !== 0;
    const held = capabilityNames(mask, this.#accounts);
    const says = holds ? `has ${name} in ${of}` : `${before}needs ${name} in ${of}, and has ${held}`;
    return {
      question: "capability",
      holds,
      says,
      operation: await this.#decided(group, "GroupMemberCapability"),
    };
  }

  async #owner(): Promise<PermissionStep> {
    const { group, owner } = this.#details;
    const holds = owner?.id === this.#question.member.id;
    const says = holds ? `the owner of ${label(group)}` : `needs to be the owner of ${label(group)}`;
    const kinds = ["TransferOwnership", "GroupCreated", "NamespaceCreated"];
    return {
      question: "owner",
      holds,
      says,
      operation: await this.#newest(({ kind }) => kinds.includes(kind ?? "")),
    };
  }

  /** The step about a device that acts for the account. */
  async #device(member: Member | undefined): Promise<PermissionStep> {
    const { node, member: account } = this.#question;
    const devices = member?.devices ?? (await node.devicesOf(account.id));
    const live = devices.filter((device) => device.live).map(({ id }) => id);
    const operation = live.length > 0 ? await this.#bound(live) : await this.#unlinked(account.id);
    const shown = live.map((id) => id.slice(0, 8)).join(", ");
    const says =
      live.length > 0
        ? `${live.length === 1 ? "device" : "devices"} ${shown} bound to the account`
        : devices.length > 0
          ? "no device acts for the account any more"
          : "no device is bound to the account";
    return { question: "device", holds: live.length > 0, says, operation };
  }

  /** The last operation that bound one of some devices, in the namespace or in the group itself. */
  async #bound(devices: readonly string[]): Promise<Operation | undefined> {
    const { group, namespace } = this.#details;
    let last: Operation | undefined;
    for (const device of devices)
      for (const of of new Set([namespace.id, group.id])) {
        const found = await this.#lastOf(device, of, "GroupDeviceBinding");
        if (found !== undefined && (last === undefined || found.sequence > last.sequence)) last = found;
      }
    return last;
  }

  /** The newest operation that unlinked a device of an account. */
  #unlinked(account: string): Promise<Operation | undefined> {
    return this.#newest(
      ({ kind = "", actor, sentence }) =>
        /DeviceUnlinked|KeysRotated/.test(kind) &&
        (actor.id === account || thingsIn(sentence).some(({ id }) => id === account)),
    );
  }

  /** The step about the keys of the group that the node's own database has. */
  async #key(): Promise<PermissionStep> {
    const { node, member } = this.#question;
    const own = await node.own();
    const isOwn = own.account === member.id || own.publicKeys.has(member.id);
    if (!isOwn) {
      const says = "not known: a database has the keys of its own node only";
      return { question: "key", holds: undefined, says, operation: undefined };
    }
    const { group, namespace, keys } = this.#details;
    const ofNamespace =
      group.id === namespace.id ? [] : ((await node.groupDetails(namespace.id))?.keys ?? []);
    const held = [...keys, ...ofNamespace];
    const lacks = ({ state, keyId }: Operation): boolean =>
      state === "encrypted" && keyId !== undefined && !held.some(({ id }) => id === keyId);
    // A member that joined after a change of the key need not have the keys before.
    for (const id of new Set([group.id, namespace.id])) {
      const last = await this.#newest((one) => one.group.id === id && one.keyId !== undefined);
      if (last !== undefined && lacks(last))
        return {
          question: "key",
          holds: false,
          says: `this node does not hold the key ${last.keyId?.slice(0, 8)}, under which the newest operation is sealed`,
          operation: last,
        };
    }
    const [newest] = held;
    if (newest === undefined)
      return {
        question: "key",
        holds: false,
        says: "this node holds no key of the group",
        operation: undefined,
      };
    const older = await this.#newest(lacks);
    // The database has the present keys only. It does not record which key was the newest at an earlier moment.
    const isNow = this.#question.until === undefined;
    const key = isNow ? `the key ${newest.id.slice(0, 8)}` : "the key of the newest operation until then";
    const others =
      older === undefined
        ? "each under which an operation here is sealed"
        : `not the key ${older.keyId?.slice(0, 8)} of older operations`;
    const says =
      isNow || older !== undefined
        ? `this node holds ${key}, and ${others}`
        : "this node holds each key under which an operation until then is sealed";
    return { question: "key", holds: true, says, operation: older };
  }

  async #roleOf({ through }: Member, group: string): Promise<Operation | undefined> {
    return this.#decided(through?.id ?? group, "GroupMember");
  }

  async #named(group: string): Promise<Named> {
    return (await this.#question.node.names()).group(group);
  }

  /** The last operation that set or removed rows of the member in a group. */
  #decided(group: string, ...kinds: readonly KindName[]): Promise<Operation | undefined> {
    return this.#lastOf(this.#question.member.id, group, ...kinds);
  }

  /** The last operation that set or removed rows of a member or a device in a group. */
  async #lastOf(id: string, group: string, ...kinds: readonly KindName[]): Promise<Operation | undefined> {
    const of = id + group;
    const all = this.#explained.get(of) ?? (await this.#question.now.explain(group, id));
    this.#explained.set(of, all);
    const until = await this.#untilNow();
    return all.findLast(
      ({ operation, set, removed }) =>
        operation !== undefined &&
        until.has(operation.id) &&
        [...set, ...removed].some((kind) => kinds.includes(kind)),
    )?.operation;
  }

  /** The newest operation of the group, or of its namespace, that is so. */
  async #newest(isWanted: (operation: Operation) => boolean): Promise<Operation | undefined> {
    const { group, namespace } = this.#details;
    const until = await this.#untilNow();
    for await (const operation of this.#question.now.history(namespace.id))
      if (
        (operation.group.id === group.id || operation.group.id === namespace.id) &&
        until.has(operation.id) &&
        isWanted(operation)
      )
        return operation;
    return undefined;
  }

  #until: ReadonlySet<string> | undefined;

  /** The operations that the moment has. */
  async #untilNow(): Promise<ReadonlySet<string>> {
    if (this.#until !== undefined) return this.#until;
    const { now, until } = this.#question;
    const ids = new Set<string>();
    let isNewer = until !== undefined;
    for await (const { id } of now.history(this.#details.namespace.id)) {
      isNewer &&= id !== until;
      if (!isNewer) ids.add(id);
    }
    this.#until = ids;
    return ids;
  }
}

/** `office (fa3977a2)`. */
function label({ name, id }: Named): string {
  return name === undefined ? id.slice(0, 8) : `${name} (${id.slice(0, 8)})`;
}
