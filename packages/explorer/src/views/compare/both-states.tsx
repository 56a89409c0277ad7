/** The states of a context on both nodes, side by side: the parts that differ. */
import { useState } from "preact/hooks";
import { addressOf } from "../../page/address.js";
import { useAnswerOfBoth } from "../../page/use-answer.js";
import { ShownProblem, ShownValue } from "../../parts/shown-value.js";
import { Answered } from "../../parts/states.js";
import { counted, Text } from "../../parts/text.js";
import { Name } from "../../parts/words.js";
import type { Thing } from "../../worker/compare/compare.js";
import type { DifferingPart, BothStates as Found, SideOfPart } from "../../worker/state/both-states.js";
import { MORE, moreOf } from "./more-of.js";

/** Parts that are drawn at first. */
const FIRST_PARTS = 20;

/** The panel. */
export function BothStates({ context }: { context: Thing }) {
  const asked = useAnswerOfBoth("bothStates", context.id);
  return (
    <section class="panel both-states" aria-labelledby="both-states">
      <div class="panel-head">
        <h2 id="both-states">
          Both states of <Name of={{ kind: "context", ...context }} />
        </h2>
        {asked.answer && <span class="quiet">{remarkOf(asked.answer)}</span>}
      </div>
      <Answered asked={asked} what="Comparing both states.">
        {(found) => <Parts key={context.id} context={context} found={found} />}
      </Answered>
    </section>
  );
}

function remarkOf({ total, isWhole, parts }: Found): string | undefined {
  if (!isWhole) return `at least ${counted(total, "part")} differ: the states are too large to compare all`;
  if (total === 0) return undefined;
  const words = `${counted(total, "part")} ${total === 1 ? "differs" : "differ"}`;
  return total > parts.length ? `${words}, the first of them` : words;
}

/** The sentence that stands in place of the parts. */
function sentenceOf({ rootA, rootB }: Found): string {
  if (rootA === undefined && rootB === undefined) return "Neither has a state of this context.";
  if (rootA === undefined) return "Only B has a state of this context.";
  if (rootB === undefined) return "Only A has a state of this context.";
  if (rootA === rootB) return `Both are the same: the hash of the root is ${rootA.slice(0, 8)}.`;
  return "The application sees the same values on both. The hashes of the roots differ.";
}

function Parts({ context, found }: { context: Thing; found: Found }) {
  const [most, setMost] = useState(FIRST_PARTS);
  const { parts, rootA, rootB } = found;
  if (parts.length === 0 || (rootA === undefined) !== (rootB === undefined))
    return <p class="panel-body">{sentenceOf(found)}</p>;
  const more = moreOf(Math.min(most, parts.length), parts.length, () => setMost(most + MORE));
  return (
    <>
      <div class="scroll">
        <table class="tbl">
          <thead>
            <tr>
              <th>Field or key</th>
              <th>A</th>
              <th>B</th>
            </tr>
          </thead>
          <tbody>
            {parts.slice(0, most).map((part) => (
              <Part key={part.key} context={context} part={part} />
            ))}
          </tbody>
        </table>
      </div>
      {more && <div class="panel-foot">{more}</div>}
    </>
  );
}

const NOTES = { hash: "same value, different hash", further: "they differ further on" };

function Part({ context, part: { path, a, b, note } }: { context: Thing; part: DifferingPart }) {
  const words = (
    <code>
      <Text value={path} most={120} />
    </code>
  );
  return (
    <tr>
      <td>
        {a === undefined ? words : <a href={addressOf("state", [context.id], { at: path })}>{words}</a>}
        {note !== undefined && <span class="quiet"> {NOTES[note]}</span>}
      </td>
      <Side side="a" has={a} />
      <Side side="b" has={b} />
    </tr>
  );
}

function Side({ side, has }: { side: "a" | "b"; has: SideOfPart | undefined }) {
  return (
    <td class={`v${side}`}>
      <span class="sr">{side.toUpperCase()}: </span>
      {has === undefined ? (
        <span class="quiet">not there</span>
      ) : has.problem === undefined ? (
        <ShownValue value={has.value} />
      ) : (
        <ShownProblem problem={has.problem} />
      )}
    </td>
  );
}
