/** The view Groups: the members of a group, their rights, the time of joining, and the operation that admitted them. */
import "./groups.css";
import { useEffect } from "preact/hooks";
import { go, place } from "../../page/address.js";
import { groupAddress } from "../../page/addresses.js";
import { useAnswer } from "../../page/use-answer.js";
import { Answered, Empty } from "../../parts/states.js";
import { View } from "../../parts/view.js";
import type { TreeLine } from "../../worker/groups/overview.js";
import { GroupTree } from "./group-tree.js";
import { OneGroup } from "./one-group.js";

/** The groups, and the group of the address. */
export function Groups() {
  const tree = useAnswer("groups");
  const [id] = place.value.words;
  const overview = useAnswer("overview");
  const recent = overview.answer && recentGroup(overview.answer.tree);
  const first = recent ?? (overview.state === "waiting" ? undefined : tree.answer?.[0]?.group.id);
  useEffect(() => {
    if (id === undefined && first !== undefined) go(groupAddress(first), { replace: true });
  }, [id, first]);
  if (id === undefined)
    return (
      <View title="Groups">
        <Answered asked={tree} what="Reading the groups.">
          {(groups) =>
            groups.length === 0 && (
              <Empty heading="This node is in no group.">
                <p>A node gets groups when it creates a namespace or joins one.</p>
              </Empty>
            )
          }
        </Answered>
      </View>
    );
  return <OneGroup key={id} id={id} tree={<GroupTree groups={tree.answer ?? []} selected={id} />} />;
}

/** The group with the context that changed last; undefined if none has changed. */
function recentGroup(tree: readonly TreeLine[]): string | undefined {
  let newest: number | undefined;
  for (const [at, { changedAt = 0 }] of tree.entries())
    if (changedAt > (newest === undefined ? 0 : (tree[newest]?.changedAt ?? 0))) newest = at;
  if (newest === undefined) return undefined;
  const depth = tree[newest]?.depth ?? 0;
  return tree.slice(0, newest).findLast((line) => line.kind !== "context" && line.depth < depth)?.id;
}
