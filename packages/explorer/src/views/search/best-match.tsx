/** The best match of a search: the thing that the text means. */
import {
  groupAddress,
  historyAddress,
  rowsAddress,
  stateAddress,
  timeAddress,
} from "../../page/addresses.js";
import { secretsRevealed } from "../../page/session.js";
import { useAnswer } from "../../page/use-answer.js";
import { WholeId } from "../../parts/id.js";
import { Author, Tag } from "../../parts/marks.js";
import { counted, Text } from "../../parts/text.js";
import { timeWords, utcToSecond } from "../../parts/time.js";
import { Name, Words } from "../../parts/words.js";
import type { Found } from "./use-search.js";

type Match = NonNullable<Found["match"]>;

export function BestMatch({ match, kinds }: { match: Match; kinds: Found["kinds"] }) {
  const { kind, id, name } = match;
  return (
    <section class="panel best" aria-label="Best match">
      <div class="panel-body cols bst">
        <div>
          <div class="rowflex">
            <span class={`kind k-${LOOKS[kind] ?? "misc"}`}>
              <b class="best-name">{name === undefined ? id.slice(0, 8) : <Text value={name} most={80} />}</b>
            </span>
            <Tag>{kind}</Tag>
          </div>
          <p class="best-id">
            <WholeId id={id} />
          </p>
          <Place id={id} />
          {(kind === "delta" || kind === "operation") && <Told of={kind} id={id} />}
        </div>
        <div class="rowflex">
          {viewsOf(match, kinds).map(({ words, address }) => (
            <a key={address} class="btn" href={address}>
              {words}
            </a>
          ))}
        </div>
      </div>
    </section>
  );
}

/** A context or a group in words: its place, members, application and last change. */
function Place({ id }: { id: string }) {
  const tree = useAnswer("overview").answer?.tree ?? [];
  const at = tree.findIndex((line) => line.id === id);
  const line = tree[at];
  if (line === undefined) return null;
  const { depth, members, application, changedAt } = line;
  const above = tree.slice(0, at).findLast((one) => one.depth < depth);
  const parts = [
    above && (
      <>
        in <Name of={above} />
      </>
    ),
    members !== undefined && counted(members, "member"),
    application && (
      <>
        runs <Text value={application} most={60} />
      </>
    ),
    changedAt !== undefined && `changed ${utcToSecond(changedAt)} UTC`,
  ].filter((part) => part);
  return (
    <p class="quiet">
      {parts.map((part, place) => (
        <span key={place}>
          {place > 0 && ", "}
          {part}
        </span>
      ))}
    </p>
  );
}

/** A delta or an operation in words, with its author, place and time. */
function Told({ of, id }: { of: "delta" | "operation"; id: string }) {
  const { answer } = useAnswer("told", secretsRevealed.value, [{ of, id }]);
  const told = answer?.[0];
  if (told === undefined) return null;
  const time = told.before ?? told.after;
  return (
    <p>
      <Author author={told.colour}>
        {told.author === undefined ? "no author" : <Name of={told.author} />}
      </Author>{" "}
      <Words words={told.words} /> <span class="quiet">in</span> <Name of={told.where} />
      {time !== undefined && <span class="quiet">, {timeWords(told.after, told.before)}</span>}
    </p>
  );
}

const LOOKS: Readonly<Record<string, string>> = {
  context: "ctx",
  group: "group",
  namespace: "group",
  application: "app",
  blob: "app",
  delta: "delta",
  operation: "log",
  member: "key",
  device: "key",
  key: "key",
  "group key": "key",
  "state entry": "state",
};

interface ViewOf {
  readonly words: string;
  readonly address: string;
}

/** The views that show a thing. Deltas and operations open in the history that their row names. */
function viewsOf({ kind, id }: Match, kinds: Found["kinds"]): readonly ViewOf[] {
  switch (kind) {
    case "context":
      return [
        { words: "History", address: historyAddress("context", id) },
        { words: "State", address: stateAddress(id) },
        { words: "Rows", address: rowsAddress("ContextState", { contextId: id }) },
      ];
    case "group":
      return [
        { words: "Group", address: groupAddress(id) },
        { words: "History", address: historyAddress("group", id) },
      ];
    case "namespace":
      return [
        { words: "Group", address: groupAddress(id) },
        { words: "History", address: historyAddress("namespace", id) },
      ];
    case "application":
      return [{ words: "Rows", address: rowsAddress("ApplicationMeta", { applicationId: id }) }];
    case "blob":
      return [{ words: "Rows", address: rowsAddress("BlobMeta", { blobId: id }) }];
    case "delta":
      return historyOf("context", ownRow(kinds, "ContextDagDelta", id), id);
    case "operation":
      return historyOf("namespace", ownRow(kinds, "NamespaceGovOp", id), id);
    default:
      return [];
  }
}

/** The id of the context or log of a delta or an operation: the first part of the key of its row. */
function ownRow(kinds: Found["kinds"], kind: string, id: string): string | undefined {
  const rows = kinds.find((one) => one.kind === kind)?.rows ?? [];
  const own = rows.find(({ parts }) => parts.at(-1)?.[1].id === id);
  return own?.parts[0]?.[1].id;
}

function historyOf(of: "context" | "namespace", within: string | undefined, id: string): readonly ViewOf[] {
  if (within === undefined) return [];
  const history = { words: "History", address: historyAddress(of, within, id) };
  if (of === "namespace") return [history];
  return [history, { words: "State right after it", address: timeAddress(of, within, id) }];
}
