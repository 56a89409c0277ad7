/** The applications on the node. */
import { searchAddress } from "../../page/addresses.js";
import { countedRows } from "../../page/row-counts.js";
import type { Answer } from "../../page/worker-client.js";
import { Id } from "../../parts/id.js";
import { Kind } from "../../parts/marks.js";
import { ByteCount, count, counted, Text } from "../../parts/text.js";
import { Panel } from "../../parts/view.js";

/** The most applications that are listed: an operation can name any number. */
const MOST = 100;

/** The applications, largest first. */
export function Applications({ applications }: { applications: Answer<"overview">["applications"] }) {
  const kinds = countedRows.value.counts?.families.flatMap((family) => family.kinds) ?? [];
  const blobs = kinds.filter(({ kind }) => kind === "BlobMeta").reduce((sum, { rows }) => sum + rows, 0);
  const more = applications.length - MOST;
  const hasVersions = applications.some(({ version }) => version !== undefined && version !== "");
  return (
    <Panel
      title="Applications"
      remark={kinds.length > 0 && `${counted(blobs, "row")} about blobs and their chunks`}
      foot={more > 0 ? `${count(more)} more, which are smaller` : undefined}
    >
      {applications.length === 0 ? (
        <p class="panel-body quiet">No application is installed here.</p>
      ) : (
        <table class="tbl applications">
          <thead>
            <tr>
              <th>Name</th>
              {hasVersions && <th class="hide-s">Version</th>}
              <th class="num">Size</th>
              <th class="num">Contexts</th>
            </tr>
          </thead>
          <tbody>
            {applications.slice(0, MOST).map(({ id, name, version, bytes, contexts }) => (
              <tr key={id}>
                <td class="wide">
                  <Kind kind="ApplicationMeta">
                    <Id id={id} name={name} address={searchAddress(id)} />
                  </Kind>
                </td>
                {hasVersions && (
                  <td class="second hide-s nowrap">
                    <Text value={version ?? ""} most={20} />
                  </td>
                )}
                <td class="num">
                  <ByteCount of={bytes} />
                </td>
                <td class="num">{count(contexts)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
