/** Damaged files: each is one finding, however many rules stumble over it. */
import { counted } from "../bytes/quantity.js";
import type { Break } from "./column-scan.js";
import type { Rule } from "./rule.js";
import { columnReadable } from "./rules/structure.js";

interface DamagedFile {
  /** The finding that shows it best: the scan of the column family that the file belongs to. */
  first: Break;
  /** The rules that ended early. */
  readonly rules: Set<Rule>;
}

export class DamagedFiles {
  readonly #files = new Map<string, DamagedFile>();

  /** Takes what says that a file is damaged. */
  add(one: Break): void {
    const { message } = one.broken;
    const name = /\d+\.(?:sst|ldb|log)\b/.exec(message)?.[0] ?? message;
    const file = this.#files.get(name) ?? { first: one, rules: new Set() };
    this.#files.set(name, file);
    if (one.rule !== columnReadable) file.rules.add(one.rule);
    else if (file.first.rule !== columnReadable) file.first = one;
  }

  /** One for each file: of the rule of damaged files or, where it does not run, of one that ended early. */
  *breaks(): Generator<Break, void, undefined> {
    for (const { first, rules } of this.#files.values()) {
      const early = rules.size === 0 ? "" : `, and ${counted(rules.size, "rule")} ended early`;
      const message = `it cannot be read further${early}: ${first.broken.message}`;
      yield { ...first, broken: { ...first.broken, message, severity: "error" } };
    }
  }
}
