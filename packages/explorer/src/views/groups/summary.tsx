/** A group in a sentence. */
import type { Named } from "merostore/node";
import { groupAddress, historyAddress } from "../../page/addresses.js";
import { capitalised } from "../../parts/capitalised.js";
import { Id } from "../../parts/id.js";
import { plainText, Text } from "../../parts/text.js";
import { Name, spoken, spokenCount } from "../../parts/words.js";
import type { OneGroup } from "../../worker/groups/groups.js";
import { mayWords } from "./may.js";

/** Groups and contexts that a sentence names. */
const NAMED = 3;

/** The answer to the view's question. */
export function Summary({ answer: { members, group, gone } }: { answer: OneGroup }) {
  const own = members.find(({ isOwn }) => isOwn);
  const others = members.filter(({ isOwn }) => !isOwn);
  const [only] = others;
  const may =
    others.length === 1 && only?.may !== undefined && only.may.length > 0
      ? mayWords(only.may).replace(/, (?!.*, )/, " and ")
      : "";
  return (
    <>
      {ownPart(own)} <Text value={group.group.name ?? "this group"} most={80} />
      {others.length === 0 ? (
        ", and nobody else is a member"
      ) : (
        <>
          ;{" "}
          <b>
            {own === undefined
              ? spokenCount(others.length, "account")
              : `${others.length === 1 ? "one other account" : `${spoken(others.length)} other accounts`}`}
          </b>{" "}
          {others.length === 1 ? "is a member" : "are members"}
          {may !== "" && ` and may ${may}`}
        </>
      )}
      {gone.length > 0 && `; ${spoken(gone.length)} left or ${gone.length === 1 ? "was" : "were"} removed`}.{" "}
      <Things
        one="subgroup"
        things={group.children.map((child) => child.group)}
        show={(thing) => (
          <a href={groupAddress(thing.id)}>
            <Name of={thing} />
          </a>
        )}
      />
      {group.children.length > 0 && group.contexts.length > 0 && ", and "}
      <Things
        one="context"
        isLater={group.children.length > 0}
        things={group.contexts}
        show={({ id, name }) => <Id id={id} name={name} address={historyAddress("context", id)} plain />}
      />
      {group.children.length + group.contexts.length === 0 ? "It has no subgroups and no contexts." : "."}
    </>
  );
}

function ownPart(own: OneGroup["members"][number] | undefined): string {
  if (own === undefined) return "This node is not a member of";
  if (own.isOwner) return own.role === "Admin" ? "This node owns and administers" : "This node owns";
  return own.role === "Admin" ? "This node administers" : `This node is ${articled(own.role)} of`;
}

function articled(role: string): string {
  const words: Readonly<Record<string, string>> = {
    Member: "a member",
    ReadOnly: "a read-only member",
    ReadOnlyTee: "a read-only member in a trusted environment",
  };
  return words[role] ?? `a member with the role ${plainText(role, 40)}`;
}

/** `Two subgroups, design6 and Money`. */
function Things({
  one,
  things,
  isLater = false,
  show,
}: {
  one: string;
  things: readonly Named[];
  /** True if it is in the middle of the sentence. */
  isLater?: boolean;
  show: (thing: Named) => preact.JSX.Element;
}) {
  if (things.length === 0) return null;
  const text = spokenCount(things.length, one);
  const start = isLater ? text : capitalised(text);
  if (things.length > NAMED) return <>{start}</>;
  return (
    <>
      {start}
      {things.map((thing, at) => (
        <span key={thing.id}>
          {at === 0 ? ", " : at === things.length - 1 ? " and " : ", "}
          {show(thing)}
        </span>
      ))}
    </>
  );
}
