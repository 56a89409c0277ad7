/** Damaged files: each one gives one finding, however many rules meet it. */
import { counted } from "../bytes/quantity.js";
import type { ScanFinding } from "./column-scan.js";
import type { Rule } from "./rule.js";
import { columnReadable } from "./rules/structure.js";

interface DamagedFile {
  /** The finding to show: the one from the scan of the file's column family, if there is one. */
  first: ScanFinding;
  /** The rules that ended early. */
  readonly rules: Set<Rule>;
}

export class DamagedFiles {
  readonly #files = new Map<string, DamagedFile>();

  /** Adds a finding about a damaged file. */
  add(one: ScanFinding): void {
    const { message } = one.finding;
    const name = /\d+\.(?:sst|ldb|log)\b/.exec(message)?.[0] ?? message;
    const file = this.#files.get(name) ?? { first: one, rules: new Set() };
    this.#files.set(name, file);
    if (one.rule !== columnReadable) file.rules.add(one.rule);
    else if (file.first.rule !== columnReadable) file.first = one;
  }

  /**
   * One finding for each file. It belongs to `column-readable` or, if that rule does not run, to a rule that ended
   * early.
   */
  *findings(): Generator<ScanFinding, void, undefined> {
    for (const { first, rules } of this.#files.values()) {
      const early = rules.size === 0 ? "" : `, and ${counted(rules.size, "rule")} ended early`;
      const message = `it cannot be read further${early}: ${first.finding.message}`;
      yield { ...first, finding: { ...first.finding, message, severity: "error" } };
    }
  }
}
