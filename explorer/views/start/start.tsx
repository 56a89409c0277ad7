/** The way to open a database. */
import { useRef, useState } from "preact/hooks";
import { addressOf, go, place } from "../../page/address.js";
import { open, openFailure, opening } from "../../page/session.js";
import type { DatabaseSource } from "../../page/worker-client.js";
import { Copy } from "../../parts/copy.js";
import { droppedFolder, pickedFolder } from "../../parts/dropped-folder.js";
import { Icon } from "../../parts/icon.js";
import { Note } from "../../parts/states.js";
import { Text } from "../../parts/text.js";
import { demonstration } from "./demonstration.js";
import { OpenedBefore, rememberOpened } from "./opened-before.js";

/** Opens a database and shows what the address asks for, or the overview. */
async function openFrom(find: () => Promise<DatabaseSource | undefined>): Promise<void> {
  openFailure.value = undefined;
  try {
    const source = await find();
    if (source === undefined) {
      openFailure.value = "That was no folder. Drop the folder of a node, or choose it.";
      return;
    }
    rememberOpened(await open("a", source));
    if (["", "open"].includes(place.value.view)) go(addressOf("overview"));
  } catch (error) {
    openFailure.value = error instanceof Error ? error.message : String(error);
  }
}

export function Start() {
  document.title = "Open a database · merostore";
  return (
    <main class="start" id="view">
      <header>
        <p class="mark">merostore</p>
        <h1>See what is inside a Calimero node.</h1>
        <p class="lead">
          Groups and members by name, history as a picture, every row down to its bytes. Everything happens in
          this page: your files are read here and sent nowhere.
        </p>
      </header>
      {openFailure.value !== undefined && (
        <Note severity="error">
          <p>
            <b>The database could not be opened.</b>
          </p>
          <p>
            <Text value={openFailure.value} />
          </p>
        </Note>
      )}
      <DropArea />
      <div class="cols ways">
        <FromTerminal />
        <FromServer />
        <OpenedBefore />
      </div>
      <footer class="quiet">
        Reads core-0.10, core-0.11 and documented databases. Nothing is ever written. Secrets stay redacted
        until you ask for them.
      </footer>
    </main>
  );
}

function DropArea() {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const { dataTransfer } = event;
    if (dataTransfer) void openFrom(() => droppedFolder(dataTransfer));
  };
  if (opening.value !== undefined)
    return (
      <section class="drop" aria-busy="true">
        <p class="drop-words">Opening the database.</p>
        <p class="second">Its tables and logs are read up to their indexes.</p>
      </section>
    );
  return (
    <section
      class={`drop ${over ? "over" : ""}`}
      aria-label="Open a folder"
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Icon name="folder" class="large" />
      <p class="drop-words">Drop a node’s folder here</p>
      <p class="second">
        The folder with the file <code>CURRENT</code> in it, or the whole node: <code>data</code> and{" "}
        <code>blobs</code> are found.
      </p>
      <div class="rowflex">
        <button type="button" class="btn primary large" onClick={() => input.current?.click()}>
          Choose a folder
        </button>
        <button type="button" class="btn large" onClick={() => void openFrom(demonstration)}>
          Look at a demonstration
        </button>
      </div>
      <input
        ref={input}
        class="sr"
        type="file"
        tabIndex={-1}
        aria-label="Choose a folder"
        {...{ webkitdirectory: true }}
        onChange={({ currentTarget: { files } }) => void openFrom(async () => pickedFolder(files))}
      />
      <p class="quiet">
        The demonstration is a real node of core-0.11: 6 namespaces, 7 contexts, 1,011 rows.
      </p>
    </section>
  );
}

function FromTerminal() {
  const command = "merostore explore node/data";
  return (
    <section>
      <h2>From a terminal</h2>
      <p class="second">Opens this page beside a running node, and shows new rows as they arrive.</p>
      <div class="cmdline">
        <code>{command}</code>
        <Copy text={command} what="the command" />
      </div>
    </section>
  );
}

function FromServer() {
  const [url, setUrl] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    if (url.trim() !== "") void openFrom(async () => ({ from: "url", url: url.trim() }));
  };
  return (
    <section>
      <h2>From a web server</h2>
      <p class="second">A folder on a server that answers range requests.</p>
      <form class="rowflex url" onSubmit={submit}>
        <span class="field grow">
          <input
            placeholder="https://…/backup/"
            aria-label="Address of the folder"
            value={url}
            spellcheck={false}
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
          />
        </span>
        <button type="submit" class="btn">
          Open
        </button>
      </form>
    </section>
  );
}
