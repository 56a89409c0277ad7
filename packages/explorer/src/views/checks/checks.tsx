/** The view Checks: the findings of the verification. */
import type { ComponentChildren } from "preact";
import { addressOf, place } from "../../page/address.js";
import { countedRows } from "../../page/row-counts.js";
import { database } from "../../page/session.js";
import { useAnswer } from "../../page/use-answer.js";
import { uncheckedRows, type Verification, verification, verifyNow } from "../../page/verification.js";
import type { RuleFindings } from "../../page/worker-client.js";
import { SeverityMark } from "../../parts/marks.js";
import { Empty, Note, Waiting } from "../../parts/states.js";
import { count, counted, plainText, Text } from "../../parts/text.js";
import { View } from "../../parts/view.js";
import "./checks.css";
import { Findings } from "./findings.js";
import { Rules } from "./rules.js";
import { SeverityFilter } from "./severity-filter.js";

/** The severity of a finding. */
type Found = RuleFindings["severity"];

/** The severities by the words of the address. */
const WANTED: Readonly<Record<string, Found>> = { errors: "error", warnings: "warning", remarks: "info" };

function severityOf(word: string | undefined): Found | undefined {
  return word !== undefined && Object.hasOwn(WANTED, word) ? WANTED[word] : undefined;
}

/** The field that counts the findings of a severity. */
const COUNTED = { error: "errors", warning: "warnings", info: "infos" } as const;

/** The findings of one severity: a rule may have findings of several. */
function ofSeverity(groups: readonly RuleFindings[], severity: Found): readonly RuleFindings[] {
  const of = COUNTED[severity];
  return groups.flatMap((group) => {
    const counts = { errors: 0, warnings: 0, infos: 0, [of]: group.counts[of] };
    const items = group.items.filter((item) => item.severity === severity);
    return counts[of] === 0 ? [] : [{ ...group, severity, counts, items }];
  });
}

export function Checks() {
  const opened = database.value;
  const { words, options } = place.value;
  const [rule] = words;
  const rules = useAnswer("rules");
  if (opened === undefined) return <View title="Checks" />;
  const checked = verification.value;
  const unchecked = uncheckedRows.value;
  const severity = severityOf(options.severity);
  const ofRule = checked.groups.filter((group) => rule === undefined || group.rule === rule);
  const groups = severity === undefined ? ofRule : ofSeverity(ofRule, severity);
  const again = (
    <p>
      <button type="button" class="btn small" onClick={() => void verifyNow()}>
        Check again
      </button>
    </p>
  );
  return (
    <View
      title={rule ?? "Checks"}
      crumbs={rule === undefined ? [] : [{ words: "Checks", address: addressOf("checks") }]}
      command={["verify", opened.location, ...(rule === undefined ? [] : ["--rule", rule])]}
      head={<h1>{verdict(checked, unchecked)}</h1>}
      answer={<Sentence checked={checked} hasBlobs={opened.hasBlobs} />}
    >
      {(checked.state === "running" || checked.state === "waiting") && <Progress checked={checked} />}
      {unchecked > 0 && (
        <Note severity="info">
          <p>
            <b>The database was checked before the last {counted(unchecked, "row")}.</b>
            {checked.isRepeated && " It is being checked again."}
          </p>
          {!checked.isRepeated && checked.state !== "failed" && again}
        </Note>
      )}
      {checked.state === "failed" && (
        <Note severity="error">
          <p>
            <b>The checks ended early.</b> What was found before is below.
          </p>
          <p>
            <Text value={checked.message ?? ""} />
          </p>
          {again}
        </Note>
      )}
      <SeverityFilter
        counts={checked.counts}
        isWhole={checked.state === "done" && unchecked === 0}
        current={options.severity}
        rule={rule}
      />
      <div class="cols chk">
        {groups.length > 0 ? (
          <Findings groups={groups} rules={rules.answer?.rules ?? []} isAlone={rule !== undefined} />
        ) : (
          <NoFindings
            checked={checked}
            rule={rule}
            isRule={rules.answer?.rules.some((one) => one.rule === rule) !== false}
            isFiltered={severity !== undefined}
          />
        )}
        {rules.answer === undefined ? (
          <Waiting what="Reading the rules." />
        ) : (
          <Rules
            rules={rules.answer.rules}
            notChecked={rules.answer.notChecked}
            checked={checked}
            current={rule}
          />
        )}
      </div>
    </View>
  );
}

/** The heading. It denies errors only after the checks of all rows are done. */
function verdict({ state, counts: { errors, warnings } }: Verification, unchecked: number): string {
  const worst = errors > 0 ? counted(errors, "error") : counted(warnings, "warning");
  const isAny = errors + warnings > 0;
  if (state === "failed") return isAny ? `${worst}, then the checks ended early` : "The checks ended early";
  if (state !== "done") return isAny ? `${worst} so far` : "The rows are being checked";
  if (unchecked > 0) return `${isAny ? worst : "Nothing wrong"} before the last ${counted(unchecked, "row")}`;
  if (errors === 0 && warnings > 0) return `No error, ${worst}`;
  return isAny ? worst : "Nothing is wrong";
}

/** The meaning of the most severe findings. */
function meaningOf(errors: number, warnings: number): string {
  if (errors > 0) return " No honest node writes an error.";
  return warnings > 0 ? " A crash or an unfinished sync can leave a warning." : "";
}

function Sentence({ checked, hasBlobs }: { checked: Verification; hasBlobs: boolean }): ComponentChildren {
  const { state, summary, counts } = checked;
  const { errors, warnings, infos } = counts;
  const all = [
    [errors, "error"],
    [warnings, "warning"],
    [infos, "remark"],
  ] as const;
  const found = (
    <b>{all.map(([number, what]) => (number === 0 ? `no ${what}` : counted(number, what))).join(", ")}</b>
  );
  const some = all.filter(([number]) => number > 0).map(([number, what]) => counted(number, what));
  const soFar = some.length === 0 ? "nothing" : <b>{some.join(", ")}</b>;
  if (state === "waiting") return <>The checks begin when the rows are counted.</>;
  if (state === "running") return <>Found so far: {soFar}. The views can be used meanwhile.</>;
  if (summary === undefined) return <>Found before that: {soFar}.</>;
  const skipped = summary.rules.filter((rule) => rule.skipped !== undefined).length;
  const rules = summary.rules.length;
  return (
    <>
      {`${count(rules - skipped)} of ${count(rules)} rules were checked over ${counted(summary.rows, "row")}: `}
      {found}.{meaningOf(errors, warnings)}{" "}
      {skipped > 0 && !hasBlobs && (
        <>
          {skipped === 1 ? "The other one needs" : `The ${count(skipped)} others need`} the files of the
          blobs: <a href={addressOf("open")}>open the whole folder of the node</a>.
        </>
      )}
    </>
  );
}

/** The progress of the checks. */
function Progress({ checked: { state, rows } }: { checked: Verification }) {
  const all = countedRows.value.rows;
  const isRead = all > 0 && rows >= all;
  const words = isRead
    ? "All rows are read. Operations of groups are replayed, and compared with the rows."
    : `${count(rows)} of ${counted(all, "row")} read`;
  return (
    <div class="checks-progress" aria-busy="true">
      <p class="quiet">{state === "waiting" ? "Counting the rows." : words}</p>
      <span
        class="bar"
        role="progressbar"
        aria-label="Rows checked"
        aria-valuemin={0}
        aria-valuemax={all}
        aria-valuenow={Math.min(rows, all)}
      >
        <i style={{ width: `${all === 0 ? 0 : Math.min(100, (100 * rows) / all)}%` }} />
      </span>
    </div>
  );
}

function NoFindings({
  checked: { state, counts },
  rule,
  isRule,
  isFiltered,
}: {
  checked: Verification;
  rule: string | undefined;
  /** True if the revision has the rule, or if that is not known yet. */
  isRule: boolean;
  isFiltered: boolean;
}) {
  const isDone = state === "done";
  const anything = counts.errors + counts.warnings + counts.infos > 0;
  if ((rule !== undefined || isFiltered) && (anything || (rule !== undefined && !isRule)))
    return (
      <Empty
        heading={
          rule !== undefined && !isRule
            ? `No rule is called ${plainText(rule, 60)}.`
            : isDone
              ? "No finding is of this kind."
              : "No finding is of this kind so far."
        }
      >
        <p>
          <a href={addressOf("checks")}>Show all findings</a>
        </p>
      </Empty>
    );
  if (!isDone)
    return (
      <Empty heading="Nothing is found so far.">
        <p class="second">Findings appear here as the checks go on.</p>
      </Empty>
    );
  return (
    <Empty heading="There is nothing to say about any row.">
      <p>
        <SeverityMark severity="ok">Every rule at the right was kept.</SeverityMark>
      </p>
    </Empty>
  );
}
