/** Damaged files: each is one finding, however many rules stumble over it. */
import { counted } from "../bytes/quantity.js";
import type { ScanFinding } from "./column-scan.js";
import type { Rule } from "./rule.js";
import { columnReadable } from "./rules/structure.js";

interface DamagedFile {
  /** The finding that shows it best: the scan of the column family that the file belongs to. */
  first: ScanFinding;
  /** The rules that ended early. */
  readonly rules: Set<Rule>;
}

export class DamagedFiles {
  readonly #files = new Map<string, DamagedFile>();

  /** Takes what says that a file is damaged. */
  add(one: ScanFinding): void {
    const { message } = one.finding;
    const name = /\d+\.(?:sst|ldb|log)\b/.exec(message)?.[0] ?? message;
    const file = this.#files.get(name) ?? { first: one, rules: new Set() };
    this.#files.set(name, file);
    if (one.rule !== columnReadable) file.rules.add(one.rule);
    else if (file.first.rule !== columnReadable) file.first = one;
  }

  /** One for each file: of the rule of damaged files or, where it does not run, of one that ended early. */
  *findings(): Generator<ScanFinding, void, undefined> {
    for (const { first, rules } of this.#files.values()) {
      const early = rules.size === 0 ? "" : `, and ${counted(rules.size, "rule")} ended early`;
      const message = `it cannot be read further${early}: ${first.finding.message}`;
      yield { ...first, finding: { ...first.finding, message, severity: "error" } };
    }
  }
}
