/** The contexts of both nodes in words, and the groups that differ. */
import { useState } from "preact/hooks";
import type { Compared } from "../../page/worker-client.js";
import { moveByArrows } from "../../parts/arrow-keys.js";
import { Id } from "../../parts/id.js";
import { Kind } from "../../parts/marks.js";
import { count, counted, Text } from "../../parts/text.js";
import { Panel } from "../../parts/view.js";
import type { ComparedContext, ComparedGroup } from "../../worker/compare/compare.js";
import { FIRST, MORE, moreOf } from "./more-of.js";
import { compareAddress } from "./options.js";
import { differingRows } from "./totals.js";

/** The contexts. The selected one is shown below. */
export function Contexts({
  compared: { contexts, counts },
  selected,
  leavesOut,
}: {
  compared: Compared;
  selected: string | undefined;
  leavesOut: boolean;
}) {
  const [most, setMost] = useState(FIRST);
  const all = counts.shared + counts.onlyInA + counts.onlyInB;
  return (
    <Panel
      class="cmp-contexts"
      title="Contexts"
      remark={whereContextsAre(counts)}
      foot={moreOf(Math.min(most, contexts.length), all, () => setMost(most + MORE))}
    >
      <div class="scroll">
        <table class="tbl" onKeyDown={(event) => moveByArrows(event, "a.id")}>
          <thead>
            <tr>
              <th>Context</th>
              <th>In words</th>
              <th class="hide-s">State on A</th>
              <th class="hide-s">State on B</th>
              <th class="num">Rows</th>
              {!leavesOut && <th class="num hide-s">Expected</th>}
            </tr>
          </thead>
          <tbody>
            {contexts.slice(0, most).map((one) => (
              <ContextLine
                key={one.context.id}
                of={one}
                isSelected={one.context.id === selected}
                leavesOut={leavesOut}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function whereContextsAre({ shared, onlyInA, onlyInB }: Compared["counts"]): string {
  return [
    `${count(shared)} on both`,
    ...(onlyInA > 0 ? [`${count(onlyInA)} only on A`] : []),
    ...(onlyInB > 0 ? [`${count(onlyInB)} only on B`] : []),
  ].join(", ");
}

function ContextLine({
  of: { context, stateA, stateB, words, rows, expected },
  isSelected,
  leavesOut,
}: {
  of: ComparedContext;
  isSelected: boolean;
  leavesOut: boolean;
}) {
  return (
    <tr class={isSelected ? "sel" : ""} aria-current={isSelected ? "true" : undefined}>
      <td class="nowrap">
        <Kind kind="ContextMeta">
          <Id {...context} address={compareAddress({ of: "context", id: context.id })} plain />
        </Kind>
      </td>
      <td class="wide">
        <Text value={words.join("; ")} />
      </td>
      <td class="hide-s nowrap">
        <State hash={stateA} />
      </td>
      <td class="hide-s nowrap">
        <State hash={stateB} />
      </td>
      <td class="num">{count(differingRows(rows))}</td>
      {!leavesOut && <td class="num hide-s quiet">{count(expected)}</td>}
    </tr>
  );
}

function State({ hash }: { hash: string | undefined }) {
  if (hash === undefined) return <span class="quiet">none</span>;
  return (
    <code class="second" title={hash}>
      {hash.slice(0, 8)}
    </code>
  );
}

/** The groups and namespaces that differ. The selected one is explained above. */
export function Groups({
  compared: { groups, groupCount },
  selected,
  leavesOut,
}: {
  compared: Compared;
  selected: string | undefined;
  leavesOut: boolean;
}) {
  const [most, setMost] = useState(FIRST);
  const listed = leavesOut ? groups.filter(({ kinds }) => kinds.length > 0) : groups;
  const all = leavesOut ? listed.length : groupCount;
  if (all === 0) return null;
  return (
    <Panel
      class="cmp-groups"
      title="Groups that differ"
      remark={counted(all, "group")}
      foot={moreOf(Math.min(most, listed.length), all, () => setMost(most + MORE))}
    >
      <div class="scroll">
        <table class="tbl" onKeyDown={(event) => moveByArrows(event, "a.id")}>
          <thead>
            <tr>
              <th>Group</th>
              <th>Rows that differ</th>
              <th class="num">Rows</th>
              {!leavesOut && <th class="num hide-s">Expected</th>}
            </tr>
          </thead>
          <tbody>
            {listed.slice(0, most).map((one) => (
              <GroupLine
                key={one.group.id}
                of={one}
                isSelected={one.group.id === selected}
                leavesOut={leavesOut}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function GroupLine({
  of: { group, kinds, expected },
  isSelected,
  leavesOut,
}: {
  of: ComparedGroup;
  isSelected: boolean;
  leavesOut: boolean;
}) {
  return (
    <tr class={isSelected ? "sel" : ""} aria-current={isSelected ? "true" : undefined}>
      <td class="nowrap">
        <Kind kind="GroupMeta">
          <Id {...group} address={compareAddress({ of: "group", id: group.id })} plain />
        </Kind>
      </td>
      <td class="wide">
        {kinds.length === 0 ? <span class="quiet">only differences that are expected</span> : wordsOf(kinds)}
      </td>
      <td class="num">{count(kinds.reduce((sum, [, rows]) => sum + differingRows(rows), 0))}</td>
      {!leavesOut && <td class="num hide-s quiet">{count(expected)}</td>}
    </tr>
  );
}

/** Kinds that are named. */
const MOST_KINDS = 4;

/** `GroupMember: 30 only on A, 2 different`, or a note that only one node has the group. */
function wordsOf(kinds: ComparedGroup["kinds"]): string {
  const hasMeta = kinds.find(([kind]) => kind === "GroupMeta")?.[1];
  if (hasMeta !== undefined && hasMeta.onlyInA > 0) return "only A has this group";
  if (hasMeta !== undefined && hasMeta.onlyInB > 0) return "only B has this group";
  const more = kinds.length - MOST_KINDS;
  return [
    ...kinds.slice(0, MOST_KINDS).map(([kind, rows]) => `${kind}: ${sidesOf(rows)}`),
    ...(more > 0 ? [counted(more, "more kind")] : []),
  ].join("; ");
}

/** `30 only on A, 2 different`. */
function sidesOf({ onlyInA, onlyInB, different }: ComparedContext["rows"]): string {
  return [
    ...(onlyInA > 0 ? [`${count(onlyInA)} only on A`] : []),
    ...(onlyInB > 0 ? [`${count(onlyInB)} only on B`] : []),
    ...(different > 0 ? [`${count(different)} different`] : []),
  ].join(", ");
}
