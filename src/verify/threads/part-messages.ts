/** Messages between the thread that reads the findings and a thread that checks parts. */
import { copyBytes } from "../../bytes/bytes.js";
import type { ErrorCode } from "../../errors.js";
import type { Break, ColumnSummary } from "../column-scan.js";
import type { Shown } from "../finding.js";
import type { Scope } from "../scope.js";

/** The way in which a thread opens the database. */
export interface Opening {
  readonly folder: string;
  /** The name of the revision. */
  readonly revision: string;
  readonly cacheBytes: number | undefined;
  /** Threads that it may start for hashes and signatures. */
  readonly threads: number;
}

/** A message to a thread. `check` starts a part. `read` says how many of its findings the reader has taken. */
export type Order =
  | {
      readonly kind: "check";
      readonly column: string | undefined;
      /** The names of the rules. */
      readonly rules: readonly string[];
      readonly scope: Scope | undefined;
    }
  | { readonly kind: "read"; readonly breaks: number };

/** A message from a thread. */
export type News =
  | { readonly kind: "open"; readonly sequence: number | undefined }
  | { readonly kind: "step"; readonly breaks: readonly SentBreak[]; readonly rows: number }
  | {
      readonly kind: "end";
      readonly summary: ColumnSummary | undefined;
      readonly checked: readonly (readonly [rule: string, count: number])[];
    }
  | { readonly kind: "failed"; readonly error: SentError };

/** An error of a thread. */
export interface SentError {
  readonly code?: ErrorCode;
  readonly message: string;
}

/** A {@link Break} with the name of its rule. */
export interface SentBreak extends Pick<Break, "broken" | "isDamage"> {
  readonly rule: string;
}

/** A copy that takes no block of rows with it, of which its bytes are views. */
export function toSend({ rule, broken, isDamage }: Break): SentBreak {
  const { key, message, found, expected, severity, about } = broken;
  return {
    rule: rule.name,
    ...(isDamage && { isDamage }),
    broken: {
      key: { COLUMN: key.COLUMN, KIND: key.KIND, bytes: key.bytes && copyBytes(key.bytes) },
      message,
      ...(found !== undefined && { found: own(found) }),
      ...(expected !== undefined && { expected: own(expected) }),
      ...(severity !== undefined && { severity }),
      ...(about !== undefined && { about: copyBytes(about) }),
    },
  };
}

function own(shown: Shown): Shown {
  return typeof shown === "object" ? copyBytes(shown) : shown;
}
