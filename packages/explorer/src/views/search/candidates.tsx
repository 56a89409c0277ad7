/** The things that a text may mean, where it may mean several. */
import { searchAddress } from "../../page/addresses.js";
import { moveByArrows } from "../../parts/arrow-keys.js";
import { Id } from "../../parts/id.js";
import { Tag } from "../../parts/marks.js";
import { Panel } from "../../parts/view.js";
import type { Found } from "./use-search.js";

export function Candidates({ candidates }: { candidates: Found["candidates"] }) {
  return (
    <Panel title="It may mean" class="candidates">
      <ul class="panel-body plainlist" onKeyDown={(event) => moveByArrows(event, "a")}>
        {candidates.map(({ kind, id, name }) => (
          <li key={kind + id}>
            <Id id={id} name={name} digits={16} address={searchAddress(id)} /> <Tag>{kind}</Tag>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
