/** The selected group: its facts, its members and its history. */
import type { JSX } from "preact";
import { groupAddress, rowsAddress, timeAddress } from "../../page/addresses.js";
import { database } from "../../page/session.js";
import { useAnswer } from "../../page/use-answer.js";
import { CopiedId } from "../../parts/copied-id.js";
import { Id } from "../../parts/id.js";
import { Kind, Redacted, Tag } from "../../parts/marks.js";
import { Answered, Empty, Note } from "../../parts/states.js";
import { count, Text } from "../../parts/text.js";
import { utcToSecond } from "../../parts/time.js";
import { Panel, View } from "../../parts/view.js";
import { Name } from "../../parts/words.js";
import type { OneGroup as Answer } from "../../worker/groups/groups.js";
import { Log } from "./log.js";
import { May } from "./may.js";
import { Members } from "./members.js";
import { Summary } from "./summary.js";

/** Keys that are listed. */
const MOST_KEYS = 200;

/** A group. */
export function OneGroup({ id, tree }: { id: string; tree: JSX.Element }) {
  const asked = useAnswer("group", id);
  const { answer } = asked;
  const group = answer?.group.group;
  const name = group?.name ?? id.slice(0, 8);
  const above = answer === undefined ? [] : placesAbove(answer);
  return (
    <View
      title={name}
      crumbs={[{ words: "Groups", address: groupAddress(id) }, ...above]}
      command={["groups", database.value?.location ?? "", id]}
    >
      <div class="cols grp">
        {tree}
        <div class="cols">
          <header class="view-head">
            <div class="line">
              <h1>
                <Text value={name} most={80} />
              </h1>
              <CopiedId id={id} what="the group’s id" quiet />
              {group && <Tag>{group.kind}</Tag>}
              <a class="btn small" href={timeAddress("group", id)}>
                At a moment
              </a>
            </div>
            {answer && (
              <p class="answer">
                <Summary answer={answer} />
              </p>
            )}
          </header>
          <Answered asked={asked} what="Reading the group and its members.">
            {(found) => (found === undefined ? <Gone id={id} /> : <Parts id={id} answer={found} />)}
          </Answered>
        </div>
      </div>
    </View>
  );
}

function placesAbove({ details }: Answer) {
  const { namespace, parent, group } = details;
  const above = [
    ...(namespace.id === group.id ? [] : [namespace]),
    ...(parent && parent.id !== namespace.id ? [parent] : []),
  ];
  return above.map((one) => ({
    words: one.name ?? one.id.slice(0, 8),
    address: groupAddress(one.id),
  }));
}

function Gone({ id }: { id: string }) {
  return (
    <>
      <Empty heading="No row of this group is left.">
        <p>It was deleted, or this node has never been in it. The log below shows what is known of it.</p>
      </Empty>
      <Log id={id} details={undefined} />
    </>
  );
}

function Parts({ id, answer }: { id: string; answer: Answer }) {
  const { details } = answer;
  return (
    <>
      {details.pending.length > 0 && (
        <Note severity="warning">
          <p>
            <b>This node has work left to do here.</b>
          </p>
          {details.pending.map((one) => (
            <p key={one}>
              <Text value={one} most={300} />
            </p>
          ))}
        </Note>
      )}
      <Facts answer={answer} />
      <Members id={id} answer={answer} />
      <Log id={id} details={details} />
      <Keys answer={answer} />
    </>
  );
}

function Facts({ answer: { details, group, newMembersMay } }: { answer: Answer }) {
  const { ownLog, application, pending, upgrade } = details;
  return (
    <dl class="facts">
      {group.visibility !== undefined && (
        <div>
          <dt>Visibility</dt>
          <dd>{group.visibility === "open" ? "Open" : "Restricted"}</dd>
        </div>
      )}
      <div>
        <dt>New members may</dt>
        <dd class="in-words">
          {newMembersMay === undefined ? "nothing is said" : <May may={newMembersMay} />}
        </dd>
      </div>
      <div>
        <dt>Runs</dt>
        <dd class="in-words">{application === undefined ? "not known" : <Name of={application} />}</dd>
      </div>
      <div>
        <dt>Own log</dt>
        <dd>
          {count(ownLog?.length ?? 0n)}{" "}
          {ownLog && (
            <small>
              {count(ownLog.heads.length)} {ownLog.heads.length === 1 ? "head" : "heads"}
            </small>
          )}
        </dd>
      </div>
      <div>
        <dt>Pending</dt>
        <dd>{count(pending.length)}</dd>
      </div>
      {upgrade !== undefined && (
        <div>
          <dt>Last upgrade</dt>
          <dd class="in-words">
            <Text value={`${upgrade.from} to ${upgrade.to}, ${upgrade.status}`} most={120} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** The ids of the keys that this node has. The keys themselves are in their rows. */
function Keys({ answer: { details } }: { answer: Answer }) {
  const { keys, group } = details;
  return (
    <Panel
      title="Keys held by this node"
      remark={keys.length === 0 ? "none" : "with them, the log’s encrypted operations can be read"}
    >
      {keys.length === 0 ? (
        <p class="panel-body quiet">
          This node holds no key of the group, so it cannot read its encrypted operations.
        </p>
      ) : (
        <div class="scroll">
          <table class="tbl">
            <thead>
              <tr>
                <th>Key</th>
                <th class="num">Epoch</th>
                <th>Group key</th>
                <th class="num hide-s">Created, UTC</th>
              </tr>
            </thead>
            <tbody>
              {keys.slice(0, MOST_KEYS).map(({ id, epoch, createdAt }) => (
                <tr key={id}>
                  <td class="nowrap">
                    <Kind kind="GroupKeyEntry">
                      <Id id={id} address={rowsAddress("GroupKeyEntry", { groupId: group.id })} />
                    </Kind>
                  </td>
                  <td class="num">{epoch === undefined ? "" : count(epoch)}</td>
                  <td>
                    <Redacted bytes={32} />
                  </td>
                  <td class="num hide-s second">{utcToSecond(createdAt)}</td>
                </tr>
              ))}
              {keys.length > MOST_KEYS && (
                <tr>
                  <td colSpan={4} class="quiet">
                    and {count(keys.length - MOST_KEYS)} more
                  </td>
                </tr>
              )}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
