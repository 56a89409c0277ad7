/** The view Live: the rows that the node writes now. */
import { rowsAddress } from "../../page/addresses.js";
import { commandLine } from "../../page/command-line.js";
import {
  type ChangedRow,
  followed,
  followFailure,
  following,
  startFollowing,
  stopFollowing,
} from "../../page/live.js";
import { database } from "../../page/session.js";
import { Copy } from "../../parts/copy.js";
import { SHOWN_DIGITS } from "../../parts/id.js";
import { Kind, Tag } from "../../parts/marks.js";
import { Empty, Note } from "../../parts/states.js";
import { count, counted, Text } from "../../parts/text.js";
import { utcClock } from "../../parts/time.js";
import { Panel, View } from "../../parts/view.js";
import "./live.css";

export function Live() {
  const opened = database.value;
  if (opened === undefined) return <View title="Live" />;
  const { count: rows } = followed.value;
  return (
    <View
      title="Live"
      command={["watch", opened.location]}
      head={
        <>
          <h1>Live</h1>
          <Tag look={following.value ? "accent" : ""}>{following.value ? "following" : "off"}</Tag>
        </>
      }
      answer={<Answer isLive={opened.isLive} rows={rows} />}
    >
      {followFailure.value !== undefined && (
        <Note severity="error">
          <p>
            <b>Following ended.</b> <Text value={followFailure.value} />
          </p>
        </Note>
      )}
      {opened.isLive ? <Switch /> : <NotLive location={opened.location} />}
      {rows > 0 && <Rows />}
    </View>
  );
}

function Answer({ isLive, rows }: { isLive: boolean; rows: number }) {
  if (!isLive) return <>This database is shown as it was when it was opened.</>;
  if (rows > 0)
    return (
      <>
        <b>{counted(rows, "row")}</b> written or deleted{" "}
        {following.value ? "so far" : "while it was followed"}. All views show them.
      </>
    );
  if (following.value) return <>Nothing was written yet. New rows appear here, and in every view.</>;
  return <>The database is not followed: the views show it as it was when it was read.</>;
}

function Switch() {
  return (
    <div class="rowflex">
      {following.value ? (
        <button type="button" class="btn" onClick={stopFollowing}>
          Stop following
        </button>
      ) : (
        <button type="button" class="btn primary" onClick={startFollowing}>
          Follow the database
        </button>
      )}
    </div>
  );
}

function NotLive({ location }: { location: string }) {
  const command = commandLine(["explore", location]);
  return (
    <Empty heading="A picked folder cannot be followed.">
      <p>
        A browser reads the files of a folder as they were when it was picked. From a terminal the page
        follows a running node:
      </p>
      <div class="cmdline">
        <code>{command}</code>
        <Copy text={command} what="the command" />
      </div>
    </Empty>
  );
}

function Rows() {
  const { kinds, rows, count: all, isIncomplete } = followed.value;
  const sorted = Object.entries(kinds).sort(([, a], [, b]) => b - a);
  return (
    <div class="cols live">
      <Panel
        title="Newest rows"
        remark={rows.length < all ? `the last ${count(rows.length)} of ${count(all)}` : undefined}
        foot={
          isIncomplete
            ? "The node deleted a log before this page read it, so some rows are not listed."
            : undefined
        }
      >
        <div class="scroll">
          <table class="tbl">
            <thead>
              <tr>
                <th>When</th>
                <th>What</th>
                <th>Kind</th>
                <th>Key</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row, place) => (
                <tr key={all - place}>
                  <td class="nowrap quiet">{utcClock(row.at)}</td>
                  <td class="nowrap">{whatOf(row)}</td>
                  <td class="nowrap">
                    <Kind kind={row.kind ?? ""}>{row.kind ?? <Text value={row.column} most={40} />}</Kind>
                  </td>
                  <td class="wide cut">
                    <KeyOf row={row} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Panel>
      <Panel title="By kind">
        <table class="tbl">
          <tbody>
            {sorted.map(([kind, number]) => (
              <tr key={kind}>
                <td class="wide">
                  {kind === "" ? (
                    <Kind kind="">Unknown rows</Kind>
                  ) : (
                    <a href={rowsAddress(kind)}>
                      <Kind kind={kind} />
                    </a>
                  )}
                </td>
                <td class="num">{count(number)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
    </div>
  );
}

function KeyOf({ row: { kind, key, parts, type } }: { row: ChangedRow }) {
  const words = parts.map(([name, text]) => (
    <span key={name} class="part">
      <span class="quiet">{name}</span>{" "}
      <code>
        {/^[0-9a-f]{64}$/.test(text) ? text.slice(0, SHOWN_DIGITS) : <Text value={text} most={60} />}
      </code>
    </span>
  ));
  if (kind === undefined || type === "delete") return <>{words}</>;
  return <a href={rowsAddress(kind, {}, key)}>{words.length > 0 ? words : "the only row"}</a>;
}

function whatOf({ type, existed }: ChangedRow): string {
  if (type === "delete") return "deleted";
  if (existed === undefined) return "written";
  return existed ? "changed" : "new";
}
