/** The verdict: whether the nodes agree, in a sentence. */
import { Fragment } from "preact";
import type { Compared } from "../../page/worker-client.js";
import { capitalised } from "../../parts/capitalised.js";
import { counted } from "../../parts/text.js";
import { Name, spoken, spokenCount } from "../../parts/words.js";
import { differingRows } from "./totals.js";

/** The most contexts for which the sentence gives missing deltas. */
const NAMED = 2;

/** The sentence. */
export function Verdict({ compared }: { compared: Compared }) {
  const { counts, contexts, expected, rows } = compared;
  const differing = differingRows(rows);
  if (differing === 0)
    return (
      <>
        <b>Both are the same</b>: all {counted(compared.rowsOfA, "row")} are equal.
      </>
    );
  const lacking = contexts.filter(
    ({ stateA, stateB, deltasOnlyInA, deltasOnlyInB, olderOnlyInA, olderOnlyInB }) =>
      stateA !== undefined &&
      stateB !== undefined &&
      deltasOnlyInA + deltasOnlyInB + olderOnlyInA + olderOnlyInB > 0,
  );
  return (
    <>
      <Agreement compared={compared} /> <OnOneSide side="A" contexts={counts.onlyInA} />{" "}
      <OnOneSide side="B" contexts={counts.onlyInB} />{" "}
      {lacking.slice(0, NAMED).map(({ context, ...one }) => (
        <Fragment key={context.id}>
          Of <Name of={{ kind: "context", ...context }} />, <Lacks {...one} />.{" "}
        </Fragment>
      ))}
      {lacking.length > NAMED &&
        `One node also lacks deltas of ${spokenCount(lacking.length - NAMED, "more context")}. `}
      {expected === differing && "All differences are expected between correct nodes."}
    </>
  );
}

type Missing = Pick<
  Compared["contexts"][number],
  "deltasOnlyInA" | "deltasOnlyInB" | "olderOnlyInA" | "olderOnlyInB"
>;

/** The missing deltas. Deltas below a snapshot are in the state that the node took over. */
function Lacks({ deltasOnlyInA, deltasOnlyInB, olderOnlyInA, olderOnlyInB }: Missing) {
  const lacks = [...lack("B", deltasOnlyInA), ...lack("A", deltasOnlyInB)].join(" and ");
  const below = [...older("B", olderOnlyInA), ...older("A", olderOnlyInB)].join(" and ");
  return (
    <>
      {lacks !== "" && <b>{lacks}</b>}
      {lacks !== "" && below !== "" && "; "}
      {below}
    </>
  );
}

function lack(side: string, deltas: number): readonly string[] {
  return deltas > 0 ? [`${side} lacks ${counted(deltas, "delta")}`] : [];
}

function older(side: string, deltas: number): readonly string[] {
  return deltas > 0
    ? [`${counted(deltas, "older delta")} ${deltas === 1 ? "lies" : "lie"} below ${side}’s snapshot`]
    : [];
}

function Agreement({ compared: { counts } }: { compared: Compared }) {
  const { shared, agreeing, sameState } = counts;
  if (shared === 0) return <>They have no context in common.</>;
  const contexts = shared === 1 ? "the one context" : `the ${spoken(shared)} contexts`;
  if (agreeing === shared)
    return (
      <>
        Where both have data, <b>they agree</b>: {contexts} they share {shared === 1 ? "has" : "have"} the
        same state and the same heads.
      </>
    );
  const differ = shared - sameState;
  if (differ === 0)
    return (
      <>
        <b>They have the same states</b> of {contexts} they share, but not the same heads in{" "}
        {spoken(shared - agreeing)}.
      </>
    );
  return (
    <>
      Of {contexts} they share,{" "}
      <b>
        {spoken(differ)} {differ === 1 ? "has" : "have"} different states
      </b>
      .
    </>
  );
}

function OnOneSide({ side, contexts }: { side: string; contexts: number }) {
  if (contexts === 0) return null;
  return (
    <>
      {capitalised(spokenCount(contexts, "context"))} {contexts === 1 ? "is" : "are"} only on {side}.
    </>
  );
}
