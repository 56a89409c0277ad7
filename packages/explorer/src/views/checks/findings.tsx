/** The findings, rule by rule. */
import { Fragment } from "preact";
import { addressOf } from "../../page/address.js";
import { checksAddress, rowsAddress, searchAddress } from "../../page/addresses.js";
import { commandLine } from "../../page/command-line.js";
import { database } from "../../page/session.js";
import type { RuleFindings, RuleInWords, ShownFinding } from "../../page/worker-client.js";
import { moveByArrows } from "../../parts/arrow-keys.js";
import { capitalised } from "../../parts/capitalised.js";
import { Id } from "../../parts/id.js";
import { Kind, Redacted, SeverityMark, Tag } from "../../parts/marks.js";
import { count, Text } from "../../parts/text.js";
import { Panel } from "../../parts/view.js";
import { foundWords } from "./found-words.js";

/** The findings of a rule that are listed among other rules. */
const BRIEF = 6;

/** The panels of the rules with findings. */
export function Findings({
  groups,
  rules,
  isAlone,
}: {
  groups: readonly RuleFindings[];
  rules: readonly RuleInWords[];
  /** True if only one rule is shown, with all its kept findings. */
  isAlone: boolean;
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move the focus among the links in it
    <div class="cols findings" onKeyDown={(event) => moveByArrows(event, "a.row-link")}>
      {groups.map((group) => (
        <RulePanel
          key={group.rule}
          group={group}
          rule={rules.find(({ rule }) => rule === group.rule)}
          most={isAlone ? Number.POSITIVE_INFINITY : BRIEF}
        />
      ))}
    </div>
  );
}

function RulePanel({
  group: { rule: name, severity, items, counts },
  rule,
  most,
}: {
  group: RuleFindings;
  rule: RuleInWords | undefined;
  most: number;
}) {
  const all = counts.errors + counts.warnings + counts.infos;
  const shown = items.slice(0, most);
  const messages = new Set(items.map(({ message }) => message));
  const isAlone = most === Number.POSITIVE_INFINITY;
  return (
    <Panel
      class="find"
      title={
        <>
          <SeverityMark severity={severity}>{name}</SeverityMark> <Tag>{foundWords(counts)}</Tag>
        </>
      }
      remark={
        isAlone ? (
          <a class="btn small" href={addressOf("checks")}>
            All rules
          </a>
        ) : (
          <a class="btn small" href={checksAddress(name)}>
            Only this rule
          </a>
        )
      }
      foot={all > shown.length && <More name={name} all={all} kept={items.length} shown={shown.length} />}
    >
      <div class="panel-body">
        {messages.size === 1 && (
          <p class="lead-words">
            <Text value={sentence(items[0]?.message ?? "")} />
          </p>
        )}
        {rule && <RuleWords rule={rule} isWhole={isAlone} />}
      </div>
      <div class="scroll">
        <table class="tbl">
          <thead>
            <tr>
              <th class="hide-s">Kind</th>
              <th>Row</th>
              <th>Values</th>
            </tr>
          </thead>
          <tbody>
            {messages.size === 1
              ? shown.map((finding, at) => <Finding key={at} finding={finding} />)
              : [...byMessage(shown)].map(([message, findings]) => (
                  <Fragment key={message}>
                    <tr class="message">
                      <td colSpan={3}>
                        <Text value={sentence(message)} />
                      </td>
                    </tr>
                    {findings.map((finding, at) => (
                      <Finding key={at} finding={finding} />
                    ))}
                  </Fragment>
                ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function RuleWords({ rule: { says, means, advice }, isWhole }: { rule: RuleInWords; isWhole: boolean }) {
  return (
    <>
      <p class="quiet">The rule: {says}</p>
      {isWhole && <p class="second">{means}</p>}
      {isWhole && advice !== "Nothing." && <p class="second">What to do: {advice}</p>}
    </>
  );
}

/** The number of findings that are not shown, and a link to them. */
function More({ name, all, kept, shown }: { name: string; all: number; kept: number; shown: number }) {
  if (kept > shown) {
    const ofAll = kept < all ? ` of ${count(all - shown)}` : "";
    return <a href={checksAddress(name)}>{`Show ${count(kept - shown)}${ofAll} more`}</a>;
  }
  const location = database.value?.location ?? "";
  return (
    <span class="quiet">
      This page keeps the first {count(kept)} of {count(all)}. This command prints all:{" "}
      <code>{commandLine(["verify", location, "--rule", name, "--all"])}</code>
    </span>
  );
}

function byMessage(findings: readonly ShownFinding[]): ReadonlyMap<string, readonly ShownFinding[]> {
  const groups = new Map<string, ShownFinding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.message);
    if (group === undefined) groups.set(finding.message, [finding]);
    else group.push(finding);
  }
  return groups;
}

function Finding({ finding: { column, kind, key, parts, found, expected } }: { finding: ShownFinding }) {
  const words = parts.map((part) => <Value key={part.part ?? part.text} value={part} />);
  return (
    <tr>
      <td class="nowrap hide-s">
        {kind === null ? (
          <span class="kind k-misc">
            <Text value={column} most={40} />
          </span>
        ) : (
          <Kind kind={kind} />
        )}
      </td>
      <td class="nowrap">
        {key === null ? (
          <span class="quiet">the whole column family</span>
        ) : kind === null ? (
          <span class="parts">{words}</span>
        ) : (
          <a class="row-link parts" href={rowsAddress(kind, {}, key)} title={`the row ${key}`}>
            {words.length === 0 ? "the only row" : words}
          </a>
        )}
      </td>
      <td class="values">
        {found && (
          <span class="nowrap">
            <span class="quiet">found</span> <Value value={found} isLinked />{" "}
          </span>
        )}
        {expected && (
          <span class="nowrap">
            <span class="quiet">expected</span> <Value value={expected} isLinked />
          </span>
        )}
      </td>
    </tr>
  );
}

/** An id with its name, or another value. A part of a key that is not an id has its name before it. */
function Value({ value: { part, text, name }, isLinked = false }: { value: ValueShown; isLinked?: boolean }) {
  if (text === "redacted") return <Redacted />;
  if (/^[0-9a-f]{16,}$/.test(text)) {
    return <Id id={text} name={name} address={isLinked ? searchAddress(text) : undefined} plain />;
  }
  return (
    <span>
      {part !== undefined && <span class="quiet">{part} </span>}
      <Text value={text} most={80} />
    </span>
  );
}

type ValueShown = ShownFinding["parts"][number];

/** A message of a finding as a sentence. */
function sentence(message: string): string {
  return `${capitalised(message)}.`;
}
