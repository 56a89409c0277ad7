/** The past of one thing: a line over its history, and the state at the moment of the line. */
import type { ComponentChildren } from "preact";
import { groupAddress, historyAddress, searchAddress, stateAddress } from "../../page/addresses.js";
import { database } from "../../page/session.js";
import { useTracks } from "../../page/tracks.js";
import type { Answer } from "../../page/worker-client.js";
import { CopiedId } from "../../parts/copied-id.js";
import { SHOWN_DIGITS } from "../../parts/id.js";
import { SeverityMark, Tag } from "../../parts/marks.js";
import { Empty, Note, Waiting } from "../../parts/states.js";
import { count, Text } from "../../parts/text.js";
import { View } from "../../parts/view.js";
import type { TimeOf } from "../../worker/past/time.js";
import type { Shape } from "./axis.js";
import { Line } from "./line.js";
import { PastTable } from "./past-table.js";
import { Sentence } from "./sentence.js";
import { Differences, Life, ThisStep } from "./side-panels.js";
import { type Pin, usePast } from "./use-past.js";

export function OneTime({
  of,
  id,
  revealed,
  tabs,
}: {
  of: TimeOf;
  id: string;
  revealed: boolean;
  tabs: ComponentChildren;
}) {
  const past = usePast(of, id, revealed);
  const { shape, then, isEmpty, isNow, position, pin, to } = past;
  const tracks = useTracks(shape && of === "context" && shape.size > 0 ? id : undefined);
  const name = shape?.of?.name ?? id.slice(0, 8);
  const kind = of === "context" ? "delta" : "operation";
  const historyOf = (which: string): string =>
    of === "context"
      ? historyAddress("context", id, which)
      : historyAddress("namespace", shape?.within[0]?.id ?? id, which);
  return (
    <View
      title="Time"
      crumbs={[
        ...(shape?.within ?? []).map((group) => ({
          words: group.name ?? group.id.slice(0, 8),
          address: groupAddress(group.id),
        })),
        { words: name, address: of === "context" ? stateAddress(id) : groupAddress(id) },
      ]}
      command={commandOf(of, id, isNow ? undefined : momentText(then, past.verdict.judged), idOfPin(pin))}
      head={
        <>
          <h1>
            <Text value={name} most={80} />
          </h1>
          <CopiedId id={id} what={of === "context" ? "the context’s id" : "the group’s id"} quiet />
          {position !== undefined && !isEmpty && <Tag>{isNow ? "as it is" : "as it was"}</Tag>}
          {past.verdict.exists && <Verdict of={past.verdict} />}
        </>
      }
      answer={then && <Sentence of={of} then={then} shape={shape as Shape} kind={kind} />}
    >
      {tabs}
      {past.failure !== undefined && <Failed message={past.failure} />}
      {past.failed !== undefined && <Failed message={past.failed} />}
      {shape === undefined && past.failure === undefined && <Replaying deltas={past.replayed} />}
      {shape === null && <Unknown of={of} id={id} />}
      {isEmpty && (
        <Empty
          heading={of === "context" ? "This context has no deltas here." : "This log has no operations."}
        >
          <p>There is no past to go through.</p>
        </Empty>
      )}
      {shape && !isEmpty && position !== undefined && (
        <Line
          shape={shape}
          tracks={tracks}
          position={position}
          pin={pin?.position}
          kind={kind}
          entries={then?.position === position ? then.count : undefined}
          what={of === "context" ? "entries" : "members"}
          to={to}
          onPin={past.togglePin}
        />
      )}
      {shape && then && position !== undefined && (
        <div class="cols tim">
          <PastTable
            of={of}
            id={id}
            revealed={revealed}
            then={then}
            shape={shape}
            wanted={past.rows}
            onWant={past.setRows}
            selected={past.selected?.key}
            onSelect={past.setChosen}
          />
          <div class="side-col">
            <ThisStep of={of} then={then} size={shape.size} historyOf={historyOf} />
            <Differences of={of} id={id} revealed={revealed} from={pin?.position} to={then.position} />
            {of === "context" && past.selected !== undefined && (
              <Life
                id={id}
                revealed={revealed}
                row={past.selected}
                position={position}
                historyOf={historyOf}
                to={to}
              />
            )}
          </div>
        </div>
      )}
    </View>
  );
}

/** The verdict on the state, or a button that requests it. */
function Verdict({ of: { judged, isSought, failure, seek } }: { of: ReturnType<typeof usePast>["verdict"] }) {
  return (
    <span class="verdict">
      {judged ? (
        <SeverityMark severity={judged.severity}>{judged.words}</SeverityMark>
      ) : isSought ? (
        <span class="quiet">{failure ?? "looking for a proof"}</span>
      ) : (
        <button type="button" class="btn small" onClick={seek}>
          Look for a proof
        </button>
      )}
    </span>
  );
}

function Replaying({ deltas }: { deltas: number }) {
  const sentence = deltas > 0 ? `Replaying the deltas: ${count(deltas)} so far.` : "Reading the history.";
  return <Waiting what={sentence} />;
}

/** The first digits of a pinned id; an address may have pinned a number. */
function idOfPin(pin: Pin | undefined): string | undefined {
  return pin?.id !== undefined && pin.id.length >= SHOWN_DIGITS ? pin.id.slice(0, SHOWN_DIGITS) : undefined;
}

function Failed({ message }: { message: string }) {
  return (
    <Note severity="error">
      <p>
        <b>The past could not be read.</b> <Text value={message} most={400} />
      </p>
    </Note>
  );
}

function Unknown({ of, id }: { of: TimeOf; id: string }) {
  return (
    <Empty heading={`No ${of} has this id.`}>
      <p>
        It may be the id of something else: <a href={searchAddress(id)}>search for it</a>.
      </p>
    </Empty>
  );
}

/**
 * The moment in the form of the command line: the id of a delta, or its time if the id means another state. At a fork
 * an id means the state of its author.
 */
function momentText(
  then: Answer<"timeAt"> | undefined,
  judged: Answer<"timeVerdict"> | undefined,
): string | undefined {
  const by = then?.by;
  if (by === undefined) return undefined;
  return judged?.severity === "skip" && by.time !== undefined
    ? new Date(by.time).toISOString()
    : by.id.slice(0, 8);
}

function commandOf(
  of: TimeOf,
  id: string,
  at: string | undefined,
  pin: string | undefined,
): readonly string[] {
  const location = database.value?.location ?? "";
  const moment = at === undefined ? [] : ["--at", at];
  if (of === "group") return ["members", location, id, ...moment];
  if (pin !== undefined && at !== undefined) return ["state", location, id, "--at", pin, "--diff", at];
  return ["state", location, id, ...moment, "--blame"];
}
