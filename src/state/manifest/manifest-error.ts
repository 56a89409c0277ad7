/** The error for a manifest that cannot be used. */
import { type ErrorCode, MerostoreError } from "../../errors.js";

/** The error codes of manifests. */
export type ManifestProblem = Extract<ErrorCode, `ABI_${string}`>;

/** A manifest that cannot be used. `path` is the place of the problem in its JSON. */
export class ManifestError extends MerostoreError {
  /** The place in the JSON, `$.types.Config.fields[3].type`; `$` for the whole. */
  readonly path: string;

  constructor(code: ManifestProblem, path: string, problem: string) {
    super(code, `${path}: ${problem}`);
    this.name = "ManifestError";
    this.path = path;
  }
}
