/** Answers of the worker in components. */
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "./message-of.js";
import { moment } from "./session.js";
import {
  type Answer,
  AnswerError,
  type AnswerOfBoth,
  ask,
  askBoth,
  type QuestionName,
  type QuestionOfBoth,
  type Wanted,
  type WantedOfBoth,
} from "./worker-client.js";

/** A pending answer. */
export type Asked<T> =
  | { readonly state: "waiting"; readonly answer: T | undefined }
  | { readonly state: "answered"; readonly answer: T }
  | { readonly state: "failed"; readonly answer: undefined; readonly error: AnswerError };

/**
 * Asks a question of the shown database, and asks again whenever the parameters or the database change. After a change
 * of the database, the previous answer stays until the new one arrives. The parameters must be plain values.
 */
export function useAnswer<Q extends QuestionName>(question: Q, ...wanted: Wanted<Q>): Asked<Answer<Q>> {
  return useAsked(() => ask("a", question, ...wanted), JSON.stringify([question, wanted]));
}

/** {@link useAnswer} of both databases. */
export function useAnswerOfBoth<Q extends QuestionOfBoth>(
  question: Q,
  ...wanted: WantedOfBoth<Q>
): Asked<AnswerOfBoth<Q>> {
  return useAsked(() => askBoth(question, ...wanted), JSON.stringify([question, wanted]));
}

const WAITING = { state: "waiting", answer: undefined } as const;

/** @param what the question and its parameters, as text */
function useAsked<T>(answerOf: () => Promise<T>, what: string): Asked<T> {
  const [kept, setKept] = useState<{ readonly what: string; readonly asked: Asked<T> }>({
    what,
    asked: WAITING,
  });
  const now = moment.value;
  useEffect(() => {
    let current = true;
    const keep = (asked: Asked<T>) => current && setKept({ what, asked });
    setKept((before) => ({
      what,
      asked: before.what === what ? { state: "waiting", answer: before.asked.answer } : WAITING,
    }));
    answerOf().then(
      (answer) => keep({ state: "answered", answer }),
      (error: unknown) => keep({ state: "failed", answer: undefined, error: asError(error) }),
    );
    return () => {
      current = false;
    };
  }, [what, now]);
  // The answer to another question is never shown: it may contain secrets that were hidden since.
  return kept.what === what ? kept.asked : WAITING;
}

function asError(error: unknown): AnswerError {
  if (error instanceof AnswerError) return error;
  return new AnswerError({ code: undefined, message: messageOf(error) });
}
