/** docs/ledger-format.md: its tables come from the declarations of rows and rules, the rest is written. */

import { markdownTable } from "../../../../test/documents/markdown.js";
import { pageRows, usageRows } from "../../src/rows/page-rows.js";
import type { AnyRow } from "../../src/rows/row.js";
import { pageRules, usageRule } from "../../src/verify/index.js";

/** The generated parts, by the names that their marks have. */
const parts: Readonly<Record<string, () => string[]>> = {
  "page rows": () => rowTable(pageRows),
  "usage rows": () => rowTable(usageRows),
  rules: () =>
    markdownTable(
      ["rule", "severity", "what should hold", "what a finding means", "what to do"],
      [...pageRules, usageRule].map(({ name, severity, says, means, advice }) => [
        `\`${name}\``,
        severity,
        says,
        means,
        advice,
      ]),
    ),
};

function rowTable(rows: readonly AnyRow[]): string[] {
  return markdownTable(
    ["row", "key", "meaning"],
    rows.map(({ kind, key, description }) => [kind, `\`${key.text}\``, description]),
  );
}

/** Returns the document with its generated parts as they should be. @throws Error for a mark that is missing */
export function ledgerFormatDocument(text: string): string {
  return Object.entries(parts).reduce((text, [name, lines]) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
    const [before, after] = [text.indexOf(begin), text.indexOf(end)];
    if (before < 0 || after < before) throw new Error(`docs/ledger-format.md has no marks of ${name}`);
    return `${text.slice(0, before + begin.length)}\n${lines().join("\n")}\n\n${text.slice(after)}`;
  }, text);
}
