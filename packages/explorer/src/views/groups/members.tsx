/** The present and former members of a group. */
import type { Named } from "merostore/node";
import { useState } from "preact/hooks";
import { groupAddress, historyAddress, searchAddress } from "../../page/addresses.js";
import { useAnswer } from "../../page/use-answer.js";
import { FilterField } from "../../parts/filter-field.js";
import { Id } from "../../parts/id.js";
import { Author, Tag } from "../../parts/marks.js";
import { count, plainText } from "../../parts/text.js";
import { timeWords, utcToSecond } from "../../parts/time.js";
import { Panel } from "../../parts/view.js";
import { Name } from "../../parts/words.js";
import type { GroupMember, GroupOrigins, OneGroup, Origin } from "../../worker/groups/groups.js";
import { May } from "./may.js";

/** Members that are listed. */
const LISTED = 500;
/** The number of members from which there is a filter. */
const MANY = 10;

/** The columns by which members can be sorted. Without one, administrators come first. */
const ORDERS: Readonly<Record<"Account" | "Devices", (a: GroupMember, b: GroupMember) => number>> = {
  Account: (a, b) => a.nameRank - b.nameRank,
  Devices: (a, b) => b.devices.length - a.devices.length,
};
type Order = keyof typeof ORDERS;

/** The members that pass a filter, in an order. */
function listOf(
  members: readonly GroupMember[],
  filter: string,
  order: Order | undefined,
): readonly GroupMember[] {
  const sought = filter.toLowerCase();
  const found = members.filter(
    ({ member: { name = "", id }, role, may = [] }) =>
      sought === "" || `${name}\n${id}\n${role}\n${may.join(" ")}`.toLowerCase().includes(sought),
  );
  return order === undefined ? found : found.toSorted(ORDERS[order]);
}

/** The members. */
export function Members({ id, answer }: { id: string; answer: OneGroup }) {
  const origins = useAnswer("groupOrigins", id);
  const { members, gone, details } = answer;
  const [filter, setFilter] = useState("");
  const [order, setOrder] = useState<Order>();
  const listed = listOf(members, filter, order);
  const head = (name: Order, extra = "") => (
    <th
      class={extra}
      aria-sort={order === name ? (name === "Devices" ? "descending" : "ascending") : undefined}
    >
      <button type="button" class="sort" onClick={() => setOrder(order === name ? undefined : name)}>
        {name}
      </button>
    </th>
  );
  const since = (member: string) => (
    <Since
      origins={origins.answer}
      isWaiting={origins.state === "waiting"}
      member={member}
      namespace={details.namespace.id}
    />
  );
  const remark = `${listed.length < members.length ? `${count(listed.length)} of ` : ""}${count(members.length)} now${gone.length === 0 ? "" : `, ${count(gone.length)} left`}`;
  return (
    <Panel title="Members" remark={remark}>
      {members.length >= MANY && (
        <div class="panel-body">
          <FilterField
            label="Filter the members"
            placeholder="Name, id, role or capability"
            value={filter}
            onChange={setFilter}
          />
        </div>
      )}
      {members.length + gone.length === 0 ? (
        <p class="panel-body quiet">No row makes anybody a member.</p>
      ) : (
        <div class="scroll members-scroll">
          <table class="tbl members">
            <thead>
              <tr>
                {head("Account")}
                <th>Role</th>
                <th class="may">May</th>
                {head("Devices", "hide-s num devices")}
                <th class="hide-s since">Since</th>
              </tr>
            </thead>
            <tbody>
              {listed.slice(0, LISTED).map((member) => (
                <MemberLine key={member.member.id} member={member}>
                  {since(member.member.id)}
                </MemberLine>
              ))}
              <More count={listed.length - LISTED} />
              {gone.length > 0 && (
                <tr class="group">
                  <td colSpan={5}>No longer a member</td>
                </tr>
              )}
              {gone.slice(0, LISTED).map(({ member, colour, why, devices }) => (
                <tr key={member.id}>
                  <td class="nowrap">
                    <Account of={member} colour={colour} />
                  </td>
                  <td class="second nowrap">{why.toLowerCase()}</td>
                  <td class="quiet">re-entry blocked</td>
                  <td class="num hide-s devices">{count(devices)}</td>
                  <td class="hide-s since">{since(member.id)}</td>
                </tr>
              ))}
              <More count={gone.length - LISTED} />
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

/** The number of members that are not listed. */
function More({ count: number }: { count: number }) {
  if (number <= 0) return null;
  return (
    <tr>
      <td colSpan={5} class="quiet">
        and {count(number)} more
      </td>
    </tr>
  );
}

function MemberLine({
  member: { member, colour, role, isOwner, through, may, devices },
  children,
}: {
  member: GroupMember;
  children: preact.ComponentChildren;
}) {
  const dead = devices.filter(({ live }) => !live).length;
  return (
    <tr>
      <td class="nowrap">
        <Account of={member} colour={colour} />
      </td>
      <td class="nowrap">
        {plainText(role, 40)} {isOwner && <Tag>owner</Tag>}
      </td>
      <td class="second">
        {role === "Admin" ? "everything" : may === undefined ? "nothing more" : <May may={may} />}
        {through !== undefined && (
          <>
            , as a member of{" "}
            <a href={groupAddress(through.id)}>
              <Name of={through} />
            </a>
          </>
        )}
      </td>
      <td
        class="num hide-s devices"
        title={devices.map(({ id, live }) => `${id}${live ? "" : " (revoked)"}`).join("\n")}
      >
        {count(devices.length)}
        {dead > 0 && <span class="quiet"> {count(dead)} revoked</span>}
      </td>
      <td class="hide-s since">{children}</td>
    </tr>
  );
}

function Account({ of: { id, name }, colour }: { of: Named; colour: number }) {
  return (
    <Author author={colour}>
      <Id id={id} name={name} address={searchAddress(id)} plain />
    </Author>
  );
}

const HOW: Readonly<Record<string, string>> = {
  NamespaceCreated: "founded",
  GroupCreated: "founded",
  MemberAdded: "added",
  MemberJoined: "invited",
  MemberJoinedAt: "invited",
  MemberJoinedOpen: "joined",
  MemberJoinedViaTeeAttestation: "attested",
};

/** The way and time in which a person became a member. */
function Since({
  origins,
  isWaiting,
  member,
  namespace,
}: {
  origins: GroupOrigins | undefined;
  isWaiting: boolean;
  member: string;
  namespace: string;
}) {
  const origin = origins?.members[member];
  if (origin === undefined)
    return isWaiting && origins === undefined ? (
      <span class="skel skel-3" />
    ) : (
      <span class="quiet">no log says</span>
    );
  return (
    <span title={timeWords(origin.after, origin.before)}>
      {HOW[origin.kind] ?? plainText(origin.kind, 40)}
      {origin.by && (
        <>
          {" "}
          by <Name of={origin.by} />
        </>
      )}{" "}
      <Id id={origin.operation} address={historyAddress("namespace", namespace, origin.operation)} />{" "}
      <span class="quiet nowrap">{boundOf(origin)}</span>
    </span>
  );
}

/** The time, or its known bound. */
function boundOf({ after, before }: Origin): string {
  if (before === undefined) return after === undefined ? "" : `after ${utcToSecond(after)}`;
  return `${after === before ? "" : "before "}${utcToSecond(before)}`;
}
