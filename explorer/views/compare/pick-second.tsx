/** The way to open the database that is compared with the one that is looked at. */
import { signal } from "@preact/signals";
import { useRef, useState } from "preact/hooks";
import { database, open, opening } from "../../page/session.js";
import type { DatabaseSource } from "../../page/worker-client.js";
import { droppedFolder, pickedFolder } from "../../parts/dropped-folder.js";
import { Icon } from "../../parts/icon.js";
import { Note } from "../../parts/states.js";
import { Text } from "../../parts/text.js";

/** Why the second database could not be opened. */
const failure = signal<string | undefined>(undefined);

async function openFrom(find: () => Promise<DatabaseSource | undefined>): Promise<void> {
  failure.value = undefined;
  try {
    const source = await find();
    if (source === undefined) failure.value = "That was no folder. Drop the folder of a node, or choose it.";
    else await open("b", source);
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  }
}

/** The area on which the folder of the other node is dropped. */
export function PickSecond() {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  if (opening.value !== undefined)
    return (
      <section class="drop" aria-busy="true">
        <p class="drop-words">Opening the other database.</p>
        <p class="second">Its tables and logs are read up to their indexes.</p>
      </section>
    );
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const { dataTransfer } = event;
    if (dataTransfer) void openFrom(() => droppedFolder(dataTransfer));
  };
  return (
    <>
      {failure.value !== undefined && (
        <Note severity="error">
          <p>
            <b>The database could not be opened.</b>
          </p>
          <p>
            <Text value={failure.value} />
          </p>
        </Note>
      )}
      <section
        class={`drop ${over ? "over" : ""}`}
        aria-label="Open the other database"
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="swap" class="large" />
        <p class="drop-words">Drop another node’s folder here</p>
        <p class="second">
          It is compared with <Text value={database.value?.name ?? ""} most={60} />: contexts, groups,
          histories, and every row.
        </p>
        <button type="button" class="btn primary large" onClick={() => input.current?.click()}>
          Choose a folder
        </button>
        <input
          ref={input}
          class="sr"
          type="file"
          tabIndex={-1}
          aria-label="Choose the other folder"
          {...{ webkitdirectory: true }}
          onChange={({ currentTarget: { files } }) => void openFrom(async () => pickedFolder(files))}
        />
        <p class="quiet">The files are read in this page and sent nowhere.</p>
      </section>
    </>
  );
}
