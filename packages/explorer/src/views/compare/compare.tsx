/** The view Compare: the differences between two nodes. */
import "./compare.css";
import { go } from "../../page/address.js";
import { compareNow, type comparison, useComparison } from "../../page/comparison.js";
import { databases, written } from "../../page/session.js";
import { Note, Waiting } from "../../parts/states.js";
import { count, plainText, Text } from "../../parts/text.js";
import { View } from "../../parts/view.js";
import type { Thing } from "../../worker/compare/compare.js";
import { BothHistories } from "./both-histories.js";
import { BothStates } from "./both-states.js";
import { Contexts, Groups } from "./contexts.js";
import { BothDatabases, Figures } from "./databases.js";
import { DifferingRows } from "./differing-rows.js";
import { compareAddress, leavesOutExpected, thingOfAddress } from "./options.js";
import { others, PickSecond } from "./pick-second.js";
import { Verdict } from "./verdict.js";
import { Why } from "./why.js";

/** The comparison, or the way to open the second database. */
export function Compare() {
  const { a, b } = databases.value;
  if (a === undefined || b === undefined)
    return (
      <View
        title="Compare"
        command={["diff", a?.location ?? "", others()[0]?.location ?? "other/data", "--by", "context"]}
        head={<h1>Compare two nodes</h1>}
        answer="A second database shows where this node and another one differ."
      >
        <PickSecond />
      </View>
    );
  return <Comparing />;
}

function Comparing() {
  const { a, b } = databases.value;
  const { state, found, compared, message, began } = useComparison();
  const leavesOut = leavesOutExpected();
  const named = thingOfAddress();
  const context = compared && named?.of !== "group" ? selectedOf(named?.id, compared.contexts) : undefined;
  const group = compared && named?.of === "group" ? groupOf(named.id, compared.groups) : undefined;
  return (
    <View
      title="Compare"
      class="compare"
      command={[
        ...(named === undefined ? ["diff"] : ["why"]),
        ...[a?.location ?? "", b?.location ?? ""],
        ...(named === undefined ? ["--by", "context"] : [named.id]),
      ]}
      head={
        <h1>
          <Text value={a?.name ?? ""} most={60} />
          {a?.name === b?.name && " (A)"} and <Text value={b?.name ?? ""} most={60} />
          {a?.name === b?.name && " (B)"}
        </h1>
      }
      answer={
        compared ? (
          <Verdict compared={compared} />
        ) : state === "failed" ? undefined : (
          <>Comparing every row: {count(found.read)} read so far.</>
        )
      }
    >
      <BothDatabases compared={compared} />
      {state === "failed" && (
        <Note severity="error">
          <p>
            <b>The comparison ended early.</b>
          </p>
          <p>
            <Text value={plainText(message ?? "")} />
          </p>
          <button type="button" class="btn small" onClick={() => void compareNow()}>
            Compare again
          </button>
        </Note>
      )}
      {state === "done" && began !== written.value && (
        <Note severity="info">
          <p>Rows were written since these databases were compared.</p>
          <button type="button" class="btn small" onClick={() => void compareNow()}>
            Compare again
          </button>
        </Note>
      )}
      {compared === undefined && state !== "failed" && <Waiting what="Comparing every row of both." />}
      {context && <Why of="context" thing={context} />}
      {group && <Why of="group" thing={group} />}
      {compared && <Figures compared={compared} leavesOut={leavesOut} />}
      <ExpectedSwitch leavesOut={leavesOut} />
      {compared && <Contexts compared={compared} selected={context?.id} leavesOut={leavesOut} />}
      {context && <BothHistories context={context} />}
      {context && <BothStates context={context} />}
      <div class="cols cmp">
        {(compared || found.kinds.length > 0) && <DifferingRows kinds={found.kinds} leavesOut={leavesOut} />}
        {compared && <Groups compared={compared} selected={group?.id} leavesOut={leavesOut} />}
      </div>
    </View>
  );
}

/** The context of the address, or the first in the list. */
function selectedOf(
  named: string | undefined,
  contexts: NonNullable<typeof comparison.value.compared>["contexts"],
): Thing | undefined {
  if (named !== undefined)
    return contexts.find(({ context }) => context.id === named)?.context ?? { id: named, name: undefined };
  return contexts[0]?.context;
}

function groupOf(id: string, groups: NonNullable<typeof comparison.value.compared>["groups"]): Thing {
  return groups.find(({ group }) => group.id === id)?.group ?? { id, name: undefined };
}

function ExpectedSwitch({ leavesOut }: { leavesOut: boolean }) {
  return (
    <div class="rowflex expected-switch">
      <button
        type="button"
        class={`switch ${leavesOut ? "on" : ""}`}
        role="switch"
        aria-checked={leavesOut}
        aria-labelledby="leave-out"
        onClick={() =>
          go(compareAddress(thingOfAddress(), { expected: leavesOut ? undefined : "hide" }), {
            replace: true,
          })
        }
      />
      <span id="leave-out">Leave out differences that are expected between correct nodes</span>
    </div>
  );
}
