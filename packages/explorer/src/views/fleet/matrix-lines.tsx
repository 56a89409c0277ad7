/** The lines of the matrix: their cells can be chosen. */
import { go } from "../../page/address.js";
import { thingAddress } from "../../page/addresses.js";
import { showWhy } from "../../page/fleet.js";
import { Id } from "../../parts/id.js";
import { Kind } from "../../parts/marks.js";
import { count, plainText } from "../../parts/text.js";
import { utcClock, utcToSecond } from "../../parts/time.js";
import { Name } from "../../parts/words.js";
import type { Thing } from "../../worker/compare/compare.js";
import type { FleetCell, FleetContext, FleetNode } from "../../worker/compare/fleet-answers.js";
import { type Chosen, chosenAddress, chosenOfAddress } from "./options.js";

/** A line of the matrix with cells that can be chosen. */
type Line = {
  readonly of: Chosen["of"];
  readonly thing: Thing;
  readonly has: readonly boolean[];
  readonly most: number;
};

/** The side of a chosen node. */
export function markOf(chosen: Chosen | undefined, at: number, id?: string): "" | "pa" | "pb" {
  if (chosen === undefined || (id !== undefined && id !== chosen.id)) return "";
  return chosen.a === at ? "pa" : chosen.b === at ? "pb" : "";
}

/** The operations of a namespace on each node. */
export function Operations({
  namespace,
  operations,
  chosen,
}: {
  namespace: Thing;
  operations: readonly (number | undefined)[];
  chosen: Chosen | undefined;
}) {
  const newest = Math.max(0, ...operations.map((number) => number ?? 0));
  const most = operations.indexOf(newest);
  const line: Line = { of: "group", thing: namespace, has: operations.map((one) => one !== undefined), most };
  return (
    <tr class="ns">
      <th scope="row">
        <Kind kind="GroupMeta">
          <Name of={{ kind: "namespace", ...namespace }} />
        </Kind>
      </th>
      {operations.map((number, at) => (
        <td key={at} class={markOf(chosen, at, namespace.id)}>
          {number !== undefined && (
            <Choose line={line} at={at}>
              {count(number)}
              <span class="word"> {number === 1 ? "operation" : "operations"}</span>
              {number === newest ? (
                <span class="long">, newest</span>
              ) : (
                <b class="behind">, {count(newest - number)} behind</b>
              )}
            </Choose>
          )}
        </td>
      ))}
    </tr>
  );
}

/** The state of a context on each node. */
export function ContextLine({
  of: { context, group, cells },
  within,
  nodes,
  chosen,
  day,
}: {
  of: FleetContext;
  /** The namespace under which it stands. */
  within: string | undefined;
  nodes: readonly FleetNode[];
  chosen: Chosen | undefined;
  day: string | undefined;
}) {
  const most = cells.findIndex((cell) => cell?.state === "most");
  const line: Line = { of: "context", thing: context, has: cells.map((cell) => cell !== undefined), most };
  const isAhead = cells.some((cell) => cell !== undefined && cell.ahead > 0);
  return (
    <tr>
      <th scope="row">
        <Kind kind="ContextMeta">
          <Id {...context} address={thingAddress("context", context.id)} plain tabIndex={-1} />
        </Kind>
        {group && group.id !== within && (
          <small>
            in <Name of={{ kind: "group", ...group }} />
          </small>
        )}
      </th>
      {nodes.map((node, at) => {
        const cell = cells[at];
        const words = cell === undefined ? "not a member" : wordsOf(cell, isAhead);
        return (
          <td key={at} class={`fc ${markOf(chosen, at, context.id)} s-${cell?.state ?? "none"}`}>
            {cell === undefined ? (
              <span class="cls s-none" title={`${plainText(node.name, 60)}: ${words}`}>
                <i aria-hidden="true" />
                <span class="long quiet">{node.failure === undefined ? words : ""}</span>
              </span>
            ) : (
              <Choose line={line} at={at} title={`${plainText(node.name, 60)}: ${words}`}>
                <span class={`cls s-${cell.state}`}>
                  <i aria-hidden="true" />
                  <span class="long">
                    <b>{words}</b>
                    <Details cell={cell} day={day} />
                  </span>
                </span>
              </Choose>
            )}
          </td>
        );
      })}
    </tr>
  );
}

function Details({ cell: { rootHash, changedAt }, day }: { cell: FleetCell; day: string | undefined }) {
  return (
    <small>
      {rootHash === undefined ? "unknown" : <code title={rootHash}>{rootHash.slice(0, 8)}</code>}
      {changedAt !== undefined && (
        <span title={`${utcToSecond(changedAt)} UTC`}>
          {" · "}
          {day === undefined ? utcToSecond(changedAt) : utcClock(changedAt)}
        </span>
      )}
    </small>
  );
}

/** The state of a cell in words. */
function wordsOf({ state, behind, ahead }: FleetCell, isAhead: boolean): string {
  if (state === "most") return isAhead ? "as most have it" : "newest";
  if (state === "wrong") return "contradicts";
  if (state === "unknown") return "not known";
  const parts = [
    ...(behind > 0 ? [`${count(behind)} behind`] : []),
    ...(ahead > 0 ? [`${count(ahead)} ahead`] : []),
  ];
  return parts.join(", ") || (state === "open" ? "differs" : "another state");
}

/**
 * A cell, which selects its node: in a pair with the node that most agree with, or, with Shift, as the second of a
 * pair.
 */
function Choose({
  line,
  at,
  title,
  children,
}: {
  line: Line;
  at: number;
  title?: string;
  children: preact.ComponentChildren;
}) {
  const { of, thing, has, most } = line;
  const partner = at === most ? has.findIndex((one, other) => one && other !== at) : most;
  const choose = (isSecond: boolean): void => {
    const chosen = chosenOfAddress();
    if (isSecond && chosen !== undefined && chosen.id === thing.id && chosen.a !== at)
      go(chosenAddress({ ...chosen, b: at }), { replace: true });
    else if (partner >= 0) go(chosenAddress({ of, id: thing.id, a: partner, b: at }), { replace: true });
  };
  return (
    <button
      type="button"
      class="cell"
      title={title}
      tabIndex={-1}
      onClick={(event) => choose(event.shiftKey)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || partner < 0) return;
        event.preventDefault();
        void showWhy([partner, at], [of, thing.id]);
      }}
    >
      {children}
    </button>
  );
}
