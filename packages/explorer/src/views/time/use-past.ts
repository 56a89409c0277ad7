/** The shown moment in the past of one thing, and the answers about it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { go, place } from "../../page/address.js";
import { timeAddress } from "../../page/addresses.js";
import { messageOf } from "../../page/message-of.js";
import { moment as changes } from "../../page/session.js";
import { useLatest } from "../../page/use-latest.js";
import { type Answer, ask } from "../../page/worker-client.js";
import type { RowsWanted, Wanted } from "../../worker/past/answers.js";
import type { TimeOf } from "../../worker/past/time.js";

/** Milliseconds until the moment of a still line enters the address. */
const RESTS = 300;

/** The most deltas that are replayed with all their hashes without a request. */
const MOST_JUDGED = 20_000;

/** A moment with which others are compared. */
export interface Pin {
  readonly position: number;
  /** The id of its delta or operation, or its number; undefined if it has neither. */
  readonly id: string | undefined;
}

/** The state of the view of one thing's past. */
export function usePast(of: TimeOf, id: string, revealed: boolean) {
  const timeline = useTimeline(of, id, revealed);
  const { shape } = timeline;
  const [at, setAt] = useState<Wanted>(wantedIn(place.value.options.at));
  const [rows, setRows] = useState<RowsWanted>({ order: "newest", filter: "", from: 0, to: 80 });
  const [chosen, setChosen] = useState<string>();
  const size = shape?.size ?? 0;
  const isEmpty = !!shape && size === 0 && !shape.isJoined;
  const asked = JSON.stringify([at, rows, size, changes.value]);
  const { answer: then, failure: failed } = useLatest(shape && !isEmpty ? asked : undefined, () =>
    ask("a", "timeAt", of, id, revealed, at, rows),
  );
  const position = typeof at === "number" ? Math.min(at, size) : then?.position;
  const isNow = position === size;
  const byId = then?.position === position ? then?.by?.id : undefined;
  const { pin, togglePin } = usePin(of, id, revealed, shape !== undefined);
  useAddress(
    { of, id, at: isNow ? undefined : byId, pin: pin?.id, isSettled: byId !== undefined },
    (wanted) => {
      setAt(wantedIn(wanted));
    },
  );
  const hasState = of === "context" && !isEmpty && !!shape;
  return {
    ...timeline,
    /** The answer to the moment; undefined until the first one. */
    then,
    failed,
    isEmpty,
    isNow,
    /** The number of deltas or operations before the moment; undefined until it is known. */
    position,
    verdict: useVerdict(id, revealed, hasState ? position : undefined, size),
    rows,
    setRows,
    /** The chosen row, or else the first row. */
    selected: then?.rows.find((row) => row.key === (chosen ?? then.rows[0]?.key)),
    setChosen,
    pin,
    togglePin: () => position !== undefined && togglePin({ position, id: byId }),
    /** Moves to another moment. */
    to(wanted: Wanted): void {
      setAt(wanted);
      setChosen(undefined);
    },
  };
}

/** The verdict on a past state: deltas above a number are replayed on request. */
function useVerdict(id: string, revealed: boolean, position: number | undefined, size: number) {
  const [isWanted, setWanted] = useState(false);
  const isSought = isWanted || size <= MOST_JUDGED;
  const what = `${position} ${changes.value}`;
  const latest = useLatest(position !== undefined && isSought ? what : undefined, () =>
    ask("a", "timeVerdict", id, revealed, position ?? 0),
  );
  return {
    /** False for a moment without a state to prove. */
    exists: position !== undefined,
    judged: latest.what === what ? latest.answer : undefined,
    isSought,
    failure: latest.failure,
    seek: () => setWanted(true),
  };
}

/** The pinned moment: the moment in the address, until another is pinned. */
function usePin(of: TimeOf, id: string, revealed: boolean, isRead: boolean) {
  const { options } = place.value;
  const [pin, setPin] = useState<Pin>();
  useEffect(() => {
    if (!isRead || options.pin === undefined || pin !== undefined) return;
    const pinned = options.pin;
    void ask("a", "timePosition", of, id, revealed, wantedIn(pinned)).then(
      (found) => setPin({ position: found, id: pinned }),
      () => undefined,
    );
  }, [isRead]);
  const togglePin = (at: Pin): void => setPin(pin?.position === at.position ? undefined : at);
  return { pin, togglePin };
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
