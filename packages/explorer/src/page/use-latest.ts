/**
 * Answers to questions that follow each other quickly: one is pending at a time, and the questions in between are left
 * out.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "./message-of.js";

/** The last answer, and its question. */
export interface Latest<T> {
  readonly what: string | undefined;
  readonly answer: T | undefined;
  readonly failure: string | undefined;
}

/**
 * Asks whenever the question changes. The previous answer stays until the next one. Answers that must not stay, such as
 * secrets, need another component.
 *
 * @param what the question as text; undefined asks nothing
 */
export function useLatest<T>(what: string | undefined, answerOf: () => Promise<T>): Latest<T> {
  const [latest, setLatest] = useState<Latest<T>>({ what: undefined, answer: undefined, failure: undefined });
  const wanted = useRef({ what, answerOf });
  const isAsking = useRef(false);
  const isThere = useRef(true);
  wanted.current = { what, answerOf };
  const run = async (): Promise<void> => {
    if (isAsking.current) return;
    isAsking.current = true;
    let done: string | undefined;
    while (isThere.current && wanted.current.what !== undefined && wanted.current.what !== done) {
      const { what: now, answerOf: answer } = wanted.current;
      done = now;
      const found = await answer().then(
        (one) => ({ what: now, answer: one, failure: undefined }),
        (error: unknown) => ({ what: now, answer: undefined, failure: messageOf(error) }),
      );
      if (isThere.current) setLatest(found);
    }
    isAsking.current = false;
  };
  useEffect(() => void run(), [what]);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  return latest;
}
