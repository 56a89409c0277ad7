/** The matrix: a line for each context, a column for each node. */
import { useRef } from "preact/hooks";
import { showWhy } from "../../page/fleet.js";
import { Tag } from "../../parts/marks.js";
import { count, counted, plainText, Text } from "../../parts/text.js";
import { utcDate } from "../../parts/time.js";
import { Panel } from "../../parts/view.js";
import { Name } from "../../parts/words.js";
import type { Thing } from "../../worker/compare/compare.js";
import type { Fleet, FleetNode, StateClass } from "../../worker/compare/fleet-answers.js";
import { moveInGrid } from "./matrix-keys.js";
import { ContextLine, markOf, Operations } from "./matrix-lines.js";
import { type Chosen, chosenOfAddress } from "./options.js";

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
