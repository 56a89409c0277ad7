/** The matrix: a line for each context, a column for each node. */
import { useRef } from "preact/hooks";
import { go } from "../../page/address.js";
import { thingAddress } from "../../page/addresses.js";
import { showWhy } from "../../page/fleet.js";
import { Id } from "../../parts/id.js";
import { Kind, Tag } from "../../parts/marks.js";
import { stepTo } from "../../parts/steps.js";
import { count, counted, plainText, Text } from "../../parts/text.js";
import { utcClock, utcDate, utcToSecond } from "../../parts/time.js";
import { Panel } from "../../parts/view.js";
import { Name } from "../../parts/words.js";
import type { Thing } from "../../worker/compare/compare.js";
import type {
  Fleet,
  FleetCell,
  FleetContext,
  FleetNode,
  StateClass,
} from "../../worker/compare/fleet-answers.js";
import { type Chosen, chosenAddress, chosenOfAddress } from "./options.js";

/** The number of nodes from which cells have one line, and the number from which they are squares. */
const [ONE_LINE, SQUARES] = [6, 20];
/** The most lines that are drawn. */
const MOST_LINES = 500;

/** The form of each class of states, and its text in the legend. */
const LEGEND: readonly (readonly [StateClass | "none", string])[] = [
  ["most", "the state that most have"],
  ["other", "another state, same past"],
  ["wrong", "contradicts"],
  ["unknown", "not known"],
  ["none", "not a member"],
];

/** A line of the matrix with cells that can be chosen. */
type Line = {
  readonly of: Chosen["of"];
  readonly thing: Thing;
  readonly has: readonly boolean[];
  readonly most: number;
};

export function Matrix({ found }: { found: Fleet }) {
  const table = useRef<HTMLTableElement>(null);
  const chosen = chosenOfAddress();
  const { nodes, namespaces } = found;
  const width = nodes.length >= SQUARES ? "squares" : nodes.length >= ONE_LINE ? "one-line" : "";
  const day = dayOf(found);
  const pair = chosenPair(found, chosen);
  const contexts = namespaces.reduce((sum, one) => sum + one.contexts.length, 0);
  let left = MOST_LINES;
  return (
    <Panel
      title={day === undefined ? "Contexts and nodes" : `Contexts and nodes, ${day} UTC`}
      remark={
        pair ?? (
          <span class="legend">
            {LEGEND.filter(([state]) => occurs(found, state)).map(([state, words]) => (
              <span key={state} class={`cls s-${state}`}>
                <i aria-hidden="true" />
                {words}
              </span>
            ))}
          </span>
        )
      }
      foot={
        <span class="quiet">
          A click chooses a node beside the others, Shift with a click a second one; Enter tells why.
        </span>
      }
    >
      <div class="scroll">
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the arrow keys move among its cells
          role="grid"
          class={`matrix ${width}`}
          aria-label="Contexts and nodes"
          tabIndex={0}
          ref={table}
          style={{ "--nodes": nodes.length }}
          onKeyDown={(event) => moveInGrid(event, table.current)}
        >
          <thead>
            <tr>
              <th scope="col">Context</th>
              {nodes.map((node, at) => (
                <Head key={node.location + at} node={node} mark={markOf(chosen, at)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {namespaces.map(({ namespace, operations, contexts: own }) => {
              const shown = own.slice(0, Math.max(0, left));
              left -= shown.length + 1;
              return (
                <>
                  {namespace && <Operations namespace={namespace} operations={operations} chosen={chosen} />}
                  {shown.map((context) => (
                    <ContextLine
                      key={context.context.id}
                      of={context}
                      within={namespace?.id}
                      nodes={nodes}
                      chosen={chosen}
                      day={day}
                    />
                  ))}
                </>
              );
            })}
          </tbody>
        </table>
      </div>
      {contexts > MOST_LINES && (
        <p class="panel-body quiet">The first {count(MOST_LINES)} lines are shown.</p>
      )}
    </Panel>
  );
}

/** The side of a chosen node. */
function markOf(chosen: Chosen | undefined, at: number, id?: string): "" | "pa" | "pb" {
  if (chosen === undefined || (id !== undefined && id !== chosen.id)) return "";
  return chosen.a === at ? "pa" : chosen.b === at ? "pb" : "";
}

function Head({
  node: { name, account, contexts, failure, damaged, location },
  mark,
}: {
  node: FleetNode;
  mark: string;
}) {
  const about =
    failure !== undefined
      ? "could not be read"
      : [
          counted(contexts, "context"),
          ...(account === undefined ? [] : [account]),
          ...(damaged.length > 0 ? [`${damaged.join(", ")} damaged`] : []),
        ].join(" · ");
  return (
    <th scope="col" class={mark} title={plainText(`${location}: ${about}`, 200)}>
      <b>
        <Text value={name} most={60} />
      </b>
      <small class={failure !== undefined || damaged.length > 0 ? "bad" : ""}>
        <Text value={about} most={80} />
      </small>
    </th>
  );
}

/** The operations of a namespace on each node. */
function Operations({
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

function ContextLine({
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

/** Returns whether a state is among the cells. */
function occurs({ namespaces }: Fleet, state: StateClass | "none"): boolean {
  return namespaces.some(({ contexts }) =>
    contexts.some(({ cells }) => cells.some((cell) => (cell?.state ?? "none") === state)),
  );
}

/** The day on which all contexts last changed, if it is the same. */
function dayOf({ namespaces }: Fleet): string | undefined {
  const days = new Set(
    namespaces.flatMap(({ contexts }) =>
      contexts.flatMap(({ cells }) =>
        cells.flatMap((cell) => (cell?.changedAt === undefined ? [] : utcDate(cell.changedAt))),
      ),
    ),
  );
  const [day] = days;
  return days.size === 1 ? day : undefined;
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

/** The selected nodes, and a link to the reason why they differ; undefined if none are selected. */
function chosenPair(found: Fleet, chosen: Chosen | undefined) {
  const [a, b] = [found.nodes[chosen?.a ?? -1], found.nodes[chosen?.b ?? -1]];
  const thing = chosen && thingOf(found, chosen);
  if (chosen === undefined || thing === undefined || a === undefined || b === undefined) return undefined;
  return (
    <span class="rowflex">
      <span>
        <Tag look="a">A</Tag> <Text value={a.name} most={60} /> and <Tag look="b">B</Tag>{" "}
        <Text value={b.name} most={60} />, <Name of={{ kind: chosen.of, ...thing }} />
      </span>
      <button
        type="button"
        class="btn small primary"
        onClick={() => void showWhy([chosen.a, chosen.b], [chosen.of, chosen.id])}
      >
        Why they differ
      </button>
    </span>
  );
}

function thingOf({ namespaces }: Fleet, { of, id }: Chosen): Thing | undefined {
  for (const { namespace, contexts } of namespaces) {
    if (of === "group" && namespace?.id === id) return namespace;
    const found = contexts.find(({ context }) => context.id === id);
    if (of === "context" && found !== undefined) return found.context;
  }
  return undefined;
}

/** Moves the focus in the grid: Tab reaches one cell, the arrow keys reach the others. */
function moveInGrid(event: KeyboardEvent, table: HTMLTableElement | null): void {
  if (table === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const cells = [...(rows[at]?.cells ?? [])];
  const column = cells.findIndex((cell) => cell.contains(document.activeElement));
  if (at < 0 || column < 0) {
    if (event.key === "ArrowDown") table.querySelector("button")?.focus();
    return;
  }
  const side = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const to = side === undefined ? stepTo(event.key, at, rows.length) : at;
  if (to === undefined) return;
  event.preventDefault();
  const step = side ?? Math.sign(to - at);
  if (side !== undefined) {
    for (let next = column + step; next > 0 && next < cells.length; next += step)
      if (focused(cells[next])) return;
  } else
    for (let next = to; next >= 0 && next < rows.length && step !== 0; next += step)
      if (focused(rows[next]?.cells[column])) return;
}

function focused(cell: Element | undefined): boolean {
  const button = cell?.querySelector<HTMLElement>("button");
  button?.focus();
  return button != null;
}
