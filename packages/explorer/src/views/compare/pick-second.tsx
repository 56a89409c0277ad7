/** The way to open the database that is compared with the one that is looked at. */
import { signal } from "@preact/signals";
import { database } from "../../page/session.js";
import { DropFolder, openFound } from "../../parts/drop-folder.js";
import { Text } from "../../parts/text.js";

/** The reason why the second database could not be opened. */
const failure = signal<string | undefined>(undefined);

/** The area on which the folder of the other node is dropped. */
export function PickSecond() {
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
