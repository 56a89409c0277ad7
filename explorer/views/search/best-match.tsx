/** The thing that the text means. */
import { groupAddress, historyAddress, rowsAddress, stateAddress } from "../../page/addresses.js";
import { WholeId } from "../../parts/id.js";
import { Tag } from "../../parts/marks.js";
import { Text } from "../../parts/text.js";
import type { Found } from "./use-search.js";

type Match = NonNullable<Found["match"]>;

export function BestMatch({ match }: { match: Match }) {
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
        </div>
        <div class="rowflex">
          {viewsOf(match).map(({ words, address }) => (
            <a key={address} class="btn" href={address}>
              {words}
            </a>
          ))}
        </div>
      </div>
    </section>
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

/** The views that show a thing. */
function viewsOf({ kind, id }: Match): readonly { readonly words: string; readonly address: string }[] {
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
    default:
      return [];
  }
}
