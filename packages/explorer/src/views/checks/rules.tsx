/** All rules, with the number of rows that each checked. */
import { checksAddress } from "../../page/addresses.js";
import type { CheckedSummary, Verification } from "../../page/verification.js";
import type { Answer } from "../../page/worker-client.js";
import { moveByArrows } from "../../parts/arrow-keys.js";
import { type Severity, SeverityMark, Tag } from "../../parts/marks.js";
import { count, counted } from "../../parts/text.js";
import { Panel } from "../../parts/view.js";
import { foundWords } from "./found-words.js";

type RuleTexts = Answer<"rules">;

/** A rule in the list. */
interface Line {
  readonly rule: string;
  readonly says: string;
  /** Undefined if it found nothing. */
  readonly found: string | undefined;
  readonly mark: Severity | undefined;
  /** Undefined until the end. */
  readonly checked: number | undefined;
  readonly skipped: string | undefined;
}

/** The rules: first the rules with findings, then the skipped rules, then the others. */
export function Rules({
  rules,
  notChecked,
  checked,
  current,
}: {
  rules: RuleTexts["rules"];
  notChecked: RuleTexts["notChecked"];
  checked: Verification;
  current: string | undefined;
}) {
  const lines = linesOf(rules, checked);
  const isQuiet = ({ mark, skipped }: Line) => skipped === undefined && (mark === "ok" || mark === "skip");
  const quiet = lines.filter(isQuiet);
  return (
    <Panel title="Rules" remark={`${counted(lines.length, "rule")} and the rows each checked`}>
      <RuleTable lines={lines.filter((line) => !isQuiet(line))} current={current} />
      {quiet.length > 0 && (
        <details class="all-rules" open={quiet.some(({ rule }) => rule === current)}>
          <summary class="panel-foot">{counted(quiet.length, "rule")} found nothing</summary>
          <RuleTable lines={quiet} current={current} />
        </details>
      )}
      <details class="panel-foot not-checked">
        <summary>What no rule checks</summary>
        <ul>
          {notChecked.map(({ what, why }) => (
            <li key={what}>
              {what}: <span class="quiet">{why}</span>
            </li>
          ))}
        </ul>
      </details>
    </Panel>
  );
}

function RuleTable({ lines, current }: { lines: readonly Line[]; current: string | undefined }) {
  if (lines.length === 0) return null;
  return (
    <table class="tbl rules" onKeyDown={(event) => moveByArrows(event, "a")}>
      <thead>
        <tr>
          <th>Rule</th>
          <th class="num">Checked</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ rule, says, found, mark, checked, skipped }) => (
          <tr key={rule} title={says} class={rule === current ? "sel" : ""}>
            <td class="rule-name">
              <a href={checksAddress(rule)} aria-current={rule === current ? "true" : undefined}>
                {mark === undefined ? (
                  <span class="sev">
                    <span class="icon" />
                    <span>{rule}</span>
                  </span>
                ) : (
                  <SeverityMark severity={mark}>
                    <span>{rule}</span>
                  </SeverityMark>
                )}
              </a>{" "}
              {found !== undefined && <Tag>{found}</Tag>}
              {skipped !== undefined && <span class="quiet skipped">{skipped}</span>}
            </td>
            <td class="num second">
              {skipped !== undefined ? "skipped" : checked === undefined ? "" : count(checked)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function linesOf(rules: RuleTexts["rules"], { groups, summary }: Verification): readonly Line[] {
  const ran = new Map((summary?.rules ?? []).map((one) => [one.rule, one]));
  const wanted = summary === undefined ? rules : rules.filter(({ rule }) => ran.has(rule));
  const lines = wanted.map(({ rule, says }): Line => {
    const group = groups.find((one) => one.rule === rule);
    const run = ran.get(rule);
    return {
      rule,
      says,
      found: group && foundWords(group.counts),
      mark: group?.severity ?? markOf(run),
      checked: run?.checked,
      skipped: run?.skipped,
    };
  });
  return lines.toSorted((a, b) => weight(a) - weight(b) || (b.checked ?? 0) - (a.checked ?? 0));
}

/** A rule that checked nothing is not marked as fine: the database has no rows for it. */
function markOf(run: CheckedSummary["rules"][number] | undefined): Severity | undefined {
  if (run === undefined) return undefined;
  return run.skipped !== undefined || run.checked === 0 ? "skip" : "ok";
}

const ORDER: readonly (Severity | undefined)[] = ["error", "warning", "info"];

function weight({ mark, skipped }: Line): number {
  const at = ORDER.indexOf(mark);
  return at >= 0 ? at : skipped !== undefined ? ORDER.length : ORDER.length + 1;
}
