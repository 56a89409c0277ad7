/** Tabs that show the findings of one severity, with their numbers. */
import { addressOf } from "../../page/address.js";
import { SeverityMark } from "../../parts/marks.js";
import { count } from "../../parts/text.js";

const TABS = [
  { of: "errors", words: "Errors", severity: "error" },
  { of: "warnings", words: "Warnings", severity: "warning" },
  { of: "infos", words: "Remarks", severity: "info" },
] as const;

/** The tabs. A zero has no colour, and has a mark only when it is certain. */
export function SeverityFilter({
  counts,
  isWhole,
  current,
  rule,
}: {
  counts: Readonly<Record<"errors" | "warnings" | "infos", number>>;
  /** True if all rows were checked. */
  isWhole: boolean;
  /** The word of the address; undefined for all. */
  current: string | undefined;
  rule: string | undefined;
}) {
  const isAll = rule === undefined && !["errors", "warnings", "remarks"].includes(current ?? "");
  return (
    <nav class="seg severities" aria-label="Severity">
      <a href={addressOf("checks")} aria-current={isAll ? "true" : undefined}>
        All <span class="n">{count(counts.errors + counts.warnings + counts.infos)}</span>
      </a>
      {TABS.map(({ of, words, severity }) => {
        const word = words.toLowerCase();
        return (
          <a
            key={of}
            href={addressOf("checks", [], { severity: word })}
            aria-current={current === word ? "true" : undefined}
          >
            {counts[of] > 0 || isWhole ? (
              <SeverityMark severity={counts[of] === 0 ? "ok" : severity}>{words}</SeverityMark>
            ) : (
              words
            )}{" "}
            <span class="n">{count(counts[of])}</span>
          </a>
        );
      })}
    </nav>
  );
}
