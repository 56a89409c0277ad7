/** The view Fleet: each context on several nodes, and the problems in their order of importance. */
import "./fleet.css";
import { signal } from "@preact/signals";
import { readFleet, showWhy, useFleet } from "../../page/fleet.js";
import { addNodes, nodes, written } from "../../page/session.js";
import { capitalised } from "../../parts/capitalised.js";
import { DropFolder, type Find, findFolder } from "../../parts/drop-folder.js";
import { type Severity, SeverityMark } from "../../parts/marks.js";
import { Note, Waiting } from "../../parts/states.js";
import { counted, plainText, Text } from "../../parts/text.js";
import { Panel, View } from "../../parts/view.js";
import { Name, spoken, spokenCount } from "../../parts/words.js";
import type {
  FleetCell,
  FleetContext,
  FleetProblem,
  Fleet as Found,
} from "../../worker/compare/fleet-answers.js";
import { Matrix } from "./matrix.js";

/** The most contexts, and nodes of each, that the sentence names. */
const MOST_NAMED = 3;

/** The reason why a node could not be added. */
const failure = signal<string | undefined>(undefined);

export function Fleet() {
  const { state, found, message, began } = useFleet();
  const number = nodes.value.length;
  return (
    <View
      title="Fleet"
      class="fleet"
      command={found && ["why", ...found.nodes.map(({ location }) => location)]}
      head={<h1>{number < 2 ? "Several nodes" : capitalised(spokenCount(number, "node"))}</h1>}
      answer={
        number < 2 ? (
          "Further databases show which nodes agree, which are behind, and which contradict the others."
        ) : found === undefined ? (
          state === "failed" ? undefined : (
            "Reading the contexts of every node."
          )
        ) : (
          <Verdict found={found} />
        )
      }
    >
      {state === "failed" && (
        <Note severity="error">
          <p>
            <b>The nodes could not be read.</b>
          </p>
          <p>
            <Text value={plainText(message ?? "")} />
          </p>
          <button type="button" class="btn small" onClick={() => void readFleet()}>
            Read again
          </button>
        </Note>
      )}
      {state === "done" && began !== written.value && (
        <Note severity="info">
          <p>Rows were written since the nodes were read.</p>
          <button type="button" class="btn small" onClick={() => void readFleet()}>
            Read again
          </button>
        </Note>
      )}
      {number >= 2 && found === undefined && state !== "failed" && (
        <Waiting what="Reading the contexts of every node." lines={8} />
      )}
      {found && <Problems found={found} />}
      {found && <Matrix found={found} />}
      <AddNode />
    </View>
  );
}

/** The answer in a sentence. */
function Verdict({ found: { namespaces, problems, nodes: all, differing, explained } }: { found: Found }) {
  const contexts = namespaces.flatMap((one) => one.contexts);
  const shared = contexts.filter(({ cells }) => cells.filter(Boolean).length > 1);
  const equal = shared.filter(({ cells }) =>
    cells.every((cell) => cell === undefined || cell.state === "most"),
  );
  const differ = shared.filter((one) => !equal.includes(one));
  const wrong = shared.filter(({ cells }) => cells.some((cell) => cell?.state === "wrong"));
  const unknown = shared.filter(({ cells }) => cells.some((cell) => cell?.state === "unknown"));
  const soFar = explained < differing ? " so far" : "";
  const failed = all.filter(({ failure: why }) => why !== undefined).length;
  return (
    <>
      {wrong.length > 0 ? (
        <b>
          {capitalised(spokenCount(wrong.length, "context"))} {wrong.length === 1 ? "has" : "have"} states
          that contradict each other{soFar}.
        </b>
      ) : (
        <b>No state contradicts another{soFar}.</b>
      )}{" "}
      {shared.length === 0 ? (
        "No context is on several nodes."
      ) : equal.length === shared.length ? (
        <>All {spokenCount(shared.length, "context")} that several nodes have are equal on them.</>
      ) : (
        <>
          Of {spokenCount(shared.length, "context")} that several nodes have, <b>{spoken(equal.length)}</b>{" "}
          {equal.length === 1 ? "is" : "are"} equal on them
          {differ.slice(0, MOST_NAMED).map((one) => (
            <Difference
              key={one.context.id}
              of={one}
              nodes={all}
              isExpected={problems.some(
                ({ thing, severity }) => thing?.id === one.context.id && severity === "info",
              )}
            />
          ))}
          {differ.length > MOST_NAMED &&
            `; ${spoken(differ.length - MOST_NAMED)} more ${differ.length - MOST_NAMED === 1 ? "differs" : "differ"}`}
          .
        </>
      )}
      {unknown.length > 0 && ` Of ${spokenCount(unknown.length, "context")}, a state is not known.`}
      {failed > 0 && ` ${capitalised(spokenCount(failed, "node"))} could not be read.`}
      {problems.length === 0 && soFar === "" && " There is nothing to look at."}
    </>
  );
}

/** The state of a node relative to the others: `is 103 deltas behind`. */
function standing({ state, behind, ahead }: FleetCell) {
  if (state === "wrong") return "contradicts the others";
  if (state === "unknown") return "is not known";
  const parts = [
    ...(behind > 0 ? [`${counted(behind, "delta")} behind`] : []),
    ...(ahead > 0 ? [`${counted(ahead, "delta")} ahead`] : []),
  ];
  if (parts.length === 0) return "has another state";
  return (
    <>
      is <b>{parts.join(" and ")}</b>
    </>
  );
}

/** The nodes whose state of a context differs from the state of most nodes: `; of lobby, node-c is 103 behind`. */
function Difference({
  of: { context, cells },
  nodes,
  isExpected,
}: {
  of: FleetContext;
  nodes: Found["nodes"];
  isExpected: boolean;
}) {
  const others = cells.flatMap((cell, at) =>
    cell === undefined || cell.state === "most" ? [] : { cell, at },
  );
  return (
    <>
      ; of{" "}
      <b>
        <Name of={{ kind: "context", ...context }} />
      </b>
      ,{" "}
      {others.slice(0, MOST_NAMED).map(({ cell, at }, place) => (
        <>
          {place > 0 && ", "}
          <Text value={nodes[at]?.name ?? ""} most={60} /> {standing(cell)}
        </>
      ))}
      {others.length > MOST_NAMED && ` and ${spoken(others.length - MOST_NAMED)} more`}
      {isExpected && ", for a reason that is known"}
    </>
  );
}

function Problems({ found: { problems, differing, explained, nodes: all } }: { found: Found }) {
  const isOver = explained === differing;
  if (problems.length === 0 && isOver) return null;
  return (
    <Panel
      title="To look at first"
      remark={
        isOver
          ? "errors, then warnings, then what is expected"
          : `${explained} of ${differing} differences explained`
      }
    >
      <ol class="probs" aria-busy={!isOver}>
        {problems.map((problem, at) => (
          <Problem key={at} problem={problem} names={all.map(({ name }) => name)} />
        ))}
        {!isOver && (
          <li>
            <span class="skel skel-1" />
          </li>
        )}
      </ol>
    </Panel>
  );
}

const SEVERITIES: Readonly<Record<FleetProblem["severity"], readonly [Severity, string]>> = {
  error: ["error", "error"],
  warning: ["warning", "warning"],
  info: ["info", "expected"],
};

function Problem({
  problem: { severity, of, thing, sentence, nodes: pair },
  names,
}: {
  problem: FleetProblem;
  names: readonly string[];
}) {
  const [mark, words] = SEVERITIES[severity];
  return (
    <li>
      <SeverityMark severity={mark}>{severity !== "info" && <span class="sr">{words}</span>}</SeverityMark>
      <span class="grow">
        {thing && of && (
          <>
            <b>
              <Name of={{ kind: of, ...thing }} />
            </b>
            :{" "}
          </>
        )}
        <Text value={sentence} most={600} />.
      </span>
      {severity === "info" && <span class="quiet">expected</span>}
      {thing && of && pair && (
        <button
          type="button"
          class="btn small"
          title={pair.map((place) => plainText(names[place] ?? "", 60)).join(" and ")}
          onClick={() => void showWhy(pair, [of, thing.id])}
        >
          Why
        </button>
      )}
    </li>
  );
}

/** The area on which a further node is dropped. */
function AddNode() {
  const add = async (find: Find) => {
    const source = await findFolder(find, failure);
    if (source !== undefined) addNodes([source]);
  };
  return (
    <DropFolder
      label="Add a node"
      icon="folder"
      heading="Drop a further node’s folder here"
      about="It is put beside the others: the state of each context, and the causes of what differs."
      foot="The files are read in this page and sent nowhere."
      what="the database"
      failure={failure}
      onFind={(find) => void add(find)}
    />
  );
}
