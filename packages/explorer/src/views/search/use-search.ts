/** A running search. */

import { useEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../../page/message-of.js";
import { moment, secretsRevealed } from "../../page/session.js";
import { type Answer, ask } from "../../page/worker-client.js";

export type Found = Answer<"search"> & {
  /** True if a person ended the search before it was done. */
  readonly isStopped?: boolean;
};

/** Searches for a text. A new search, or leaving the view, ends the previous search. */
export function useSearch(text: string): {
  readonly found: Found | undefined;
  readonly error: string | undefined;
  readonly stop: () => void;
} {
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState<string>();
  const stopped = useRef<() => void>(() => undefined);
  const now = moment.value;
  const reveal = secretsRevealed.value;
  useEffect(() => {
    if (text === "") return;
    let goesOn = true;
    stopped.current = () => {
      goesOn = false;
    };
    setFound(undefined);
    setError(undefined);
    ask("a", "search", text, reveal, async (soFar) => {
      if (goesOn) setFound(soFar);
      return goesOn;
    }).then(
      (all) => goesOn && setFound(all),
      (failure: unknown) => goesOn && setError(messageOf(failure)),
    );
    return stopped.current;
  }, [text, now, reveal]);
  const stop = () => {
    stopped.current();
    setFound((soFar) => soFar && { ...soFar, isDone: true, isStopped: true });
  };
  return { found, error, stop };
}
