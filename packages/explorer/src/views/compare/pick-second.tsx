/** Opens the second database, which is compared with the shown one. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { go, place } from "../../page/address.js";
import { membersOf, pairInAddress } from "../../page/fleet.js";
import { messageOf } from "../../page/message-of.js";
import { database, nodes, open as openDatabase } from "../../page/session.js";
import { sourceOf } from "../../page/worker-client.js";
import { DropFolder, openFound } from "../../parts/drop-folder.js";
import { Text } from "../../parts/text.js";
import { compareAddress, thingOfAddress } from "./options.js";

/** The reason why the second database could not be opened. */
const failure = signal<string | undefined>(undefined);

/** The other nodes of the page. */
export function others(): ReturnType<typeof membersOf> {
  const own = sourceOf("a");
  return membersOf(nodes.value).filter(({ source }) => source !== own);
}

/** The other nodes, and the area on which another folder is dropped. */
export function PickSecond() {
  const open = others();
  const pick = async ({ source }: (typeof open)[number]): Promise<void> => {
    try {
      await openDatabase("b", source);
      go(compareAddress(thingOfAddress(), pairInAddress()), { replace: true });
    } catch (error) {
      failure.value = messageOf(error);
    }
  };
  // An address names the second node of a comparison.
  const named = open.find(({ name }) => name === place.value.options.with);
  useEffect(() => {
    if (named !== undefined) void pick(named);
  }, [named?.name]);
  return (
    <>
      {open.length > 0 && (
        <section class="panel" aria-label="Open nodes">
          <div class="panel-body rowflex">
            <span class="second">Compare with</span>
            {open.map((one) => (
              <button key={one.name} type="button" class="btn" onClick={() => void pick(one)}>
                <Text value={one.name} most={60} />
              </button>
            ))}
          </div>
        </section>
      )}
      <DropSecond />
    </>
  );
}

/** The area on which the folder of the other node is dropped. */
function DropSecond() {
  return (
    <DropFolder
      label="Open the other database"
      icon="swap"
      heading="Drop another node’s folder here"
      about={
        <>
          It is compared with <Text value={database.value?.name ?? ""} most={60} />: contexts, groups,
          histories, and every row.
        </>
      }
      foot="The files are read in this page and sent nowhere."
      what="the other database"
      failure={failure}
      onFind={(find) => void openFound("b", find, failure)}
    />
  );
}
