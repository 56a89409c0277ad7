/** The past of one thing: a line over its history, and the state at the moment of the line. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { go, place } from "../../page/address.js";
import {
  groupAddress,
  historyAddress,
  searchAddress,
  stateAddress,
  timeAddress,
} from "../../page/addresses.js";
import { messageOf } from "../../page/message-of.js";
import { moment as changes, database } from "../../page/session.js";
import { useTracks } from "../../page/tracks.js";
import { useLatest } from "../../page/use-latest.js";
import { type Answer, ask } from "../../page/worker-client.js";
import { CopiedId } from "../../parts/copied-id.js";
import { SHOWN_DIGITS } from "../../parts/id.js";
import { SeverityMark, Tag } from "../../parts/marks.js";
import { Empty, Note, Waiting } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { utc } from "../../parts/time.js";
import { View } from "../../parts/view.js";
import type { TimeOf } from "../../worker/time.js";
import type { RowsWanted, Wanted } from "../../worker/time-answers.js";
import type { Shape } from "./axis.js";
import { Line } from "./line.js";
import { PastTable } from "./past-table.js";
import { Differences, Life, ThisStep } from "./side-panels.js";

/** Milliseconds until the moment of a still line enters the address. */
const RESTS = 300;

/** The most deltas that are replayed with all their hashes without a request. */
const MOST_JUDGED = 20_000;

interface Pin {
  readonly position: number;
  readonly id: string | undefined;
}

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
  const { shape, replayed, failure } = useTimeline(of, id, revealed);
  const tracks = useTracks(shape && of === "context" && shape.size > 0 ? id : undefined);
  const { options } = place.value;
  const [at, setAt] = useState<Wanted>(wantedIn(options.at));
  const [pin, setPin] = useState<Pin>();
  const [rows, setRows] = useState<RowsWanted>({ order: "newest", filter: "", from: 0, to: 80 });
  const [chosen, setChosen] = useState<string>();
  const now = changes.value;
  const size = shape?.size ?? 0;
  const isEmpty = !!shape && size === 0 && !shape.isJoined;
  const asked = JSON.stringify([at, rows, size, now]);
  const { answer: then, failure: failed } = useLatest(shape && !isEmpty ? asked : undefined, () =>
    ask("a", "timeAt", of, id, revealed, at, rows),
  );
  const position = typeof at === "number" ? Math.min(at, size) : then?.position;
  const isKnown = of === "context" && position !== undefined && !isEmpty && !!shape;
  const [isJudged, setJudged] = useState(false);
  const judges = isJudged || size <= MOST_JUDGED;
  const verdict = useLatest(isKnown && judges ? `${position} ${now}` : undefined, () =>
    ask("a", "timeVerdict", id, revealed, position ?? 0),
  );
  const judged = verdict.what === `${position} ${now}` ? verdict.answer : undefined;
  const isNow = position === size;
  const byId = then?.position === position ? then?.by?.id : undefined;
  useAddress(
    { of, id, at: isNow ? undefined : byId, pin: pin?.id, isSettled: byId !== undefined },
    (wanted) => {
      setAt(wantedIn(wanted));
    },
  );
  useEffect(() => {
    if (shape === undefined || options.pin === undefined || pin !== undefined) return;
    const pinned = options.pin;
    void ask("a", "timePosition", of, id, revealed, wantedIn(pinned)).then(
      (found) => setPin({ position: found, id: pinned }),
      () => undefined,
    );
  }, [shape !== undefined]);
  const to = (wanted: Wanted): void => {
    setAt(wanted);
    setChosen(undefined);
  };
  const thing = shape?.of;
  const name = thing?.name ?? id.slice(0, 8);
  const kind = of === "context" ? "delta" : "operation";
  const key = chosen ?? then?.rows[0]?.key;
  const selected = then?.rows.find((row) => row.key === key);
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
      command={commandOf(of, id, isNow ? undefined : momentText(then, judged), idOfPin(pin))}
      head={
        <>
          <h1>
            <Text value={name} most={80} />
          </h1>
          <CopiedId id={id} what={of === "context" ? "the context’s id" : "the group’s id"} quiet />
          {position !== undefined && !isEmpty && <Tag>{isNow ? "as it is" : "as it was"}</Tag>}
          {isKnown && (
            <span class="verdict">
              {judged ? (
                <SeverityMark severity={judged.severity}>{judged.words}</SeverityMark>
              ) : judges ? (
                <span class="quiet">{verdict.failure ?? "looking for a proof"}</span>
              ) : (
                <button type="button" class="btn small" onClick={() => setJudged(true)}>
                  Look for a proof
                </button>
              )}
            </span>
          )}
        </>
      }
      answer={then && <Sentence of={of} then={then} shape={shape as Shape} kind={kind} />}
    >
      {tabs}
      {failure !== undefined && <Failed message={failure} />}
      {failed !== undefined && <Failed message={failed} />}
      {shape === undefined && failure === undefined && (
        <Waiting
          what={replayed > 0 ? `Replaying the deltas: ${count(replayed)} so far.` : "Reading the history."}
        />
      )}
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
          onPin={() => setPin(pin?.position === position ? undefined : { position, id: byId })}
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
            wanted={rows}
            onWant={setRows}
            selected={key}
            onSelect={setChosen}
          />
          <div class="side-col">
            <ThisStep of={of} then={then} size={size} historyOf={historyOf} />
            <Differences of={of} id={id} revealed={revealed} from={pin?.position} to={then.position} />
            {of === "context" && selected !== undefined && (
              <Life
                id={id}
                revealed={revealed}
                row={selected}
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

/** The first digits of a pinned id; an address may have pinned a number. */
function idOfPin(pin: Pin | undefined): string | undefined {
  return pin?.id !== undefined && pin.id.length >= SHOWN_DIGITS ? pin.id.slice(0, SHOWN_DIGITS) : undefined;
}

/** The moment of an address: a number, or an id. Without one, now. */
function wantedIn(at = ""): Wanted {
  return at === "" ? Number.MAX_SAFE_INTEGER : /^\d{1,7}$/.test(at) ? Number(at) : at;
}

/** The positions, requested again when rows were written. Leaving the view ends the replay. */
function useTimeline(of: TimeOf, id: string, revealed: boolean) {
  const [shape, setShape] = useState<Answer<"timeline"> | null>();
  const [replayed, setReplayed] = useState(0);
  const [failure, setFailure] = useState<string>();
  const now = changes.value;
  useEffect(() => {
    let goesOn = true;
    const onReplayed = async (deltas: number): Promise<boolean> => {
      if (goesOn) setReplayed(deltas);
      return goesOn;
    };
    setFailure(undefined);
    ask("a", "timeline", of, id, revealed, onReplayed).then(
      (found) => goesOn && setShape(found ?? null),
      (error: unknown) => goesOn && setFailure(messageOf(error)),
    );
    return () => {
      goesOn = false;
    };
  }, [of, id, revealed, now]);
  return { shape, replayed, failure };
}

/** Keeps the address and the moment the same. The address follows when the line is still. */
function useAddress(
  {
    of,
    id,
    at,
    pin,
    isSettled,
  }: { of: TimeOf; id: string; at: string | undefined; pin: string | undefined; isSettled: boolean },
  onWant: (at: string | undefined) => void,
): void {
  const written = useRef(place.peek().options.at);
  const wanted = place.value.options.at;
  useEffect(() => {
    if (wanted !== written.current) onWant(wanted);
    written.current = wanted;
  }, [wanted]);
  useEffect(() => {
    if (!isSettled) return;
    const timer = setTimeout(() => {
      written.current = at;
      const address = timeAddress(of, id, at, pin);
      if (place.peek().view === "time") go(address, { replace: true });
    }, RESTS);
    return () => clearTimeout(timer);
  }, [at, pin, isSettled]);
}

function Sentence({
  of,
  then,
  shape,
  kind,
}: {
  of: TimeOf;
  then: Answer<"timeAt">;
  shape: Shape;
  kind: string;
}) {
  const { position, by, count: there } = then;
  const after = shape.size - position;
  const entries = of === "context" ? counted(there, "entry", "entries") : counted(there, "member");
  return (
    <>
      {position === 0 ? (
        <b>Before the first delta that is here</b>
      ) : (
        <>
          At <b>{by?.time === undefined ? "an unknown time" : `${utc(by.time)} UTC`}</b>
          {of === "group" && by?.time !== undefined && " at the latest"}, after {kind}{" "}
          <b>
            {count(position)} of {count(shape.size)}
          </b>
        </>
      )}
      , there {there === 1 ? "was" : "were"} <b>{entries}</b>.{" "}
      {after === 0 ? (
        "Nothing follows: this is the state of now."
      ) : (
        <>
          <b>{counted(after, kind)}</b> {after === 1 ? "follows" : "follow"}.
        </>
      )}
      {shape.isJoined && shape.size > 0 && (
        <>
          {" "}
          Before{" "}
          <b>{Number.isNaN(shape.times[0]) ? "the first delta" : utc(shape.times[0] as number).slice(11)}</b>{" "}
          nothing is known: the node joined from a snapshot, or its history was pruned.
        </>
      )}
      {shape.pending > 0 &&
        ` ${counted(shape.pending, "delta")} that ${shape.pending === 1 ? "waits" : "wait"} for others ${shape.pending === 1 ? "is" : "are"} not shown.`}
    </>
  );
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
