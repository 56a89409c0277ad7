/** A typed period of time: `--since 2d --until yesterday`. */
import { invalidArgument } from "../../errors.js";
import { TIME_FORMS, typedSpan } from "../arguments/moment-text.js";
import { text } from "../arguments/option-kinds.js";

export const since = text("<time>", "leave out what is older: 2d, 12h, yesterday, 2026-11-21T05:51Z");
export const until = text("<time>", "leave out what is newer; a day or a minute goes to its end");

/** Times in milliseconds since 1970, both included. */
export interface Period {
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** Returns whether it includes a time, or a time between two bounds. Every period includes an unknown time. */
  has(after: number | undefined, before?: number | undefined): boolean;
}

/**
 * The period between two typed times.
 *
 * @throws MerostoreError `INVALID_ARGUMENT` for a text that is not a time
 */
export function periodOf(
  typed: { readonly since: string | undefined; readonly until: string | undefined; readonly utc: boolean },
  now = Date.now(),
): Period {
  const [since, until] = (["since", "until"] as const).map((name) => {
    const text = typed[name];
    const span = text === undefined ? undefined : typedSpan(text, typed.utc, now);
    if (text !== undefined && span === undefined)
      throw invalidArgument(`--${name} takes a date or a time: ${TIME_FORMS}`);
    return name === "since" ? span?.first : span?.last;
  });
  if (since !== undefined && until !== undefined && since > until)
    throw invalidArgument("--since is after --until: no time is between them");
  return {
    since,
    until,
    has: (after, before) =>
      (before ?? Number.POSITIVE_INFINITY) >= (since ?? Number.NEGATIVE_INFINITY) &&
      (after ?? Number.NEGATIVE_INFINITY) <= (until ?? Number.POSITIVE_INFINITY),
  };
}
