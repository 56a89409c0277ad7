/** The area for dropping or choosing a folder. */

import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { messageOf } from "../page/message-of.js";
import { open, opening } from "../page/session.js";
import type { DatabaseSource, OpenedDatabase, Side } from "../page/worker-client.js";
import { droppedFolder, pickedFolder } from "./dropped-folder.js";
import { Icon, type IconName } from "./icon.js";
import { Note } from "./states.js";
import { Text } from "./text.js";

/** Finds the source to open; undefined for anything but a folder. */
export type Find = () => Promise<DatabaseSource | undefined>;

/** Returns the found source; undefined, with the reason in `failure`, if there is none. */
export async function findFolder(
  find: Find,
  failure: Signal<string | undefined>,
): Promise<DatabaseSource | undefined> {
  failure.value = undefined;
  try {
    const source = await find();
    if (source === undefined)
      failure.value = "That was no folder with files. Drop the folder of a node, or choose it.";
    return source;
  } catch (error) {
    failure.value = messageOf(error);
    return undefined;
  }
}

/** Opens the found source. If that fails, returns undefined, with the reason in `failure`. */
export async function openFound(
  side: Side,
  find: Find,
  failure: Signal<string | undefined>,
): Promise<OpenedDatabase | undefined> {
  const source = await findFolder(find, failure);
  try {
    return source && (await open(side, source));
  } catch (error) {
    failure.value = messageOf(error);
    return undefined;
  }
}

/** The area. While a database is being opened, it says so. */
export function DropFolder({
  label,
  icon,
  heading,
  about,
  buttons,
  foot,
  what,
  failure,
  onFind,
}: {
  label: string;
  icon: IconName;
  heading: string;
  about: ComponentChildren;
  /** Buttons beside the button that chooses a folder. */
  buttons?: ComponentChildren;
  foot: string;
  /** The name of the thing that is opened: `the database`. */
  what: string;
  failure: Signal<string | undefined>;
  onFind: (find: Find) => void;
}) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const { dataTransfer } = event;
    if (dataTransfer) onFind(() => droppedFolder(dataTransfer));
  };
  const onChange = () => {
    const { current } = input;
    if (current === null) return;
    const source = pickedFolder(current.files);
    // The same folder may be chosen again.
    current.value = "";
    onFind(async () => source);
  };
  if (opening.value !== undefined)
    return (
      <section class="drop" aria-busy="true">
        <p class="drop-words">Opening {what}.</p>
        <p class="second">Its tables and logs are read up to their indexes.</p>
      </section>
    );
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
        aria-label={label}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name={icon} class="large" />
        <p class="drop-words">{heading}</p>
        <p class="second">{about}</p>
        <div class="rowflex">
          <button type="button" class="btn primary large" onClick={() => input.current?.click()}>
            Choose a folder
          </button>
          {buttons}
        </div>
        <input
          ref={input}
          class="sr"
          type="file"
          tabIndex={-1}
          aria-label="Choose a folder"
          {...{ webkitdirectory: true }}
          onChange={onChange}
        />
        <p class="quiet">{foot}</p>
      </section>
    </>
  );
}
