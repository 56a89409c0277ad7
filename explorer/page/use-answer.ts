/** Answers of the worker in components. */
import { useEffect, useState } from "preact/hooks";
import { moment } from "./session.js";
import { type Answer, AnswerError, ask, type QuestionName, type Side, type Wanted } from "./worker-client.js";

/** An answer on its way. */
export type Asked<T> =
  | { readonly state: "waiting"; readonly answer: T | undefined }
  | { readonly state: "answered"; readonly answer: T }
  | { readonly state: "failed"; readonly answer: undefined; readonly error: AnswerError };

/**
 * Asks a question of the database that is looked at, again whenever what is wanted or the database changes. While a newer
 * answer is on its way, the one before stays. What is wanted must be plain values.
 */
export function useAnswer<Q extends QuestionName>(question: Q, ...wanted: Wanted<Q>): Asked<Answer<Q>> {
  return useAnswerOf("a", question, ...wanted);
}

/** {@link useAnswer} of either database. */
export function useAnswerOf<Q extends QuestionName>(
  side: Side,
  question: Q,
  ...wanted: Wanted<Q>
): Asked<Answer<Q>> {
  const [asked, setAsked] = useState<Asked<Answer<Q>>>({ state: "waiting", answer: undefined });
  const now = moment.value;
  useEffect(() => {
    let current = true;
    setAsked(({ answer }) => ({ state: "waiting", answer }));
    ask(side, question, ...wanted).then(
      (answer) => current && setAsked({ state: "answered", answer }),
      (error: unknown) => current && setAsked({ state: "failed", answer: undefined, error: asError(error) }),
    );
    return () => {
      current = false;
    };
  }, [side, question, JSON.stringify(wanted), now]);
  return asked;
}

function asError(error: unknown): AnswerError {
  if (error instanceof AnswerError) return error;
  return new AnswerError({
    code: undefined,
    message: error instanceof Error ? error.message : String(error),
  });
}
