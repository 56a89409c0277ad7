/** The six figures. */
import { checksAddress } from "../../page/addresses.js";
import { countedRows } from "../../page/row-counts.js";
import { uncheckedRows, verification } from "../../page/verification.js";
import { SeverityMark } from "../../parts/marks.js";
import { ByteCount, count, counted } from "../../parts/text.js";
import { utcClock, utcDate } from "../../parts/time.js";

/** The figures of a database. Some need a scan of all rows, and come after it. */
export function Facts({ changedAt }: { changedAt: number | undefined }) {
  const { counts, rows, state } = countedRows.value;
  const families = counts?.families ?? [];
  const sum = (of: "bytes" | "unflushed") => families.reduce((total, family) => total + family[of], 0);
  const filled = families.filter((family) => family.rows > 0).length;
  const pending = state === "failed" ? <small>unknown</small> : <small>counting</small>;
  return (
    <dl class="facts six" aria-busy={state === "counting"}>
      <div>
        <dt>Rows</dt>
        <dd>
          {state === "failed" ? pending : count(rows)} {state === "counting" && <small>so far</small>}
        </dd>
      </div>
      <div>
        <dt>Size</dt>
        <dd>{counts === undefined ? pending : <ByteCount of={sum("bytes")} />}</dd>
      </div>
      <div>
        <dt>Families with rows</dt>
        <dd>
          {counts === undefined ? (
            pending
          ) : (
            <>
              {count(filled)} <small>of {count(families.length)}</small>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Only in the log</dt>
        <dd>
          {counts === undefined ? (
            pending
          ) : (
            <>
              {count(sum("unflushed"))} <small>{sum("unflushed") === 1 ? "change" : "changes"}</small>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>
          Newest change
          {changedAt !== undefined && (
            <>
              , <span class="nowrap">{utcDate(changedAt)}</span>
            </>
          )}
        </dt>
        <dd>
          {changedAt === undefined ? (
            <small>no deltas</small>
          ) : (
            <>
              {utcClock(changedAt)} <small>UTC</small>
            </>
          )}
        </dd>
      </div>
      <div>
        <dt>Checks</dt>
        <dd class="checks-fact">
          <ChecksFact />
        </dd>
      </div>
    </dl>
  );
}

function ChecksFact() {
  const { state, counts, rows } = verification.value;
  const { errors, warnings } = counts;
  const wrong = [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
  ].join(", ");
  const all = countedRows.value.rows;
  const unchecked = uncheckedRows.value;
  const severity = errors > 0 ? "error" : warnings > 0 ? "warning" : unchecked > 0 ? "skip" : "ok";
  if (state === "waiting") return <span class="quiet">after the counting</span>;
  if (state === "failed")
    return (
      <a href={checksAddress()}>
        <SeverityMark severity="skip">ended early</SeverityMark>
      </a>
    );
  if (state === "done")
    return (
      <a href={checksAddress()}>
        <SeverityMark severity={severity}>{wrong === "" ? "nothing is wrong" : wrong}</SeverityMark>
        {unchecked > 0 && <small> before the last {counted(unchecked, "row")}</small>}
      </a>
    );
  const part = all === 0 ? 0 : Math.min(1, rows / all);
  return (
    <a href={checksAddress()} class="checking">
      <span>{wrong === "" ? "checking" : `${wrong} so far`}</span>
      <span class="bar" role="progressbar" aria-label="Rows checked" aria-valuenow={Math.round(part * 100)}>
        <i style={{ width: `${part * 100}%` }} />
      </span>
    </a>
  );
}
