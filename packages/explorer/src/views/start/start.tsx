/** The way to open a database. */
import { useState } from "preact/hooks";
import { addressOf, go, place } from "../../page/address.js";
import { openFailure, opening } from "../../page/session.js";
import { Copy } from "../../parts/copy.js";
import { DropFolder, type Find, openFound } from "../../parts/drop-folder.js";
import { Note } from "../../parts/states.js";
import { demonstration } from "./demonstration.js";
import { OpenedBefore, rememberOpened } from "./opened-before.js";

/** Opens a database and shows the view of the address, or the overview. */
async function openFrom(find: Find): Promise<void> {
  const opened = await openFound("a", find, openFailure);
  if (opened === undefined) return;
  rememberOpened(opened);
  if (["", "open"].includes(place.value.view)) go(addressOf("overview"));
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
      <Why />
      <DropArea />
      <div class="cols ways">
        <FromTerminal />
        <FromServer />
        <OpenedBefore />
      </div>
      <footer class="quiet">
        Reads databases of core-0.10, core-0.11 and core-1.0, and documented ones. Nothing is ever written.
        Secrets stay redacted until you ask for them.
      </footer>
    </main>
  );
}

/** The reason why the page asks for a database, if the address names a view. */
function Why() {
  const { view } = place.value;
  if (["", "open"].includes(view) || opening.value !== undefined || openFailure.value !== undefined)
    return null;
  return (
    <Note severity="info">
      <p>
        <b>The address is a place in a database, and none is open in this tab.</b> Open the database, and the
        page goes there. A browser does not open a folder again by itself. If <code>merostore explore</code>{" "}
        serves this page, open the address that it printed: the token at its end lets the page read.
      </p>
    </Note>
  );
}

function DropArea() {
  return (
    <DropFolder
      label="Open a folder"
      icon="folder"
      heading="Drop a node’s folder here"
      about={
        <>
          The folder with the file <code>CURRENT</code> in it, or the whole node: <code>data</code> and{" "}
          <code>blobs</code> are found.
        </>
      }
      buttons={
        <button type="button" class="btn large" onClick={() => void openFrom(demonstration)}>
          Look at a demonstration
        </button>
      }
      foot="The demonstration is a real node of core-0.11: 6 namespaces, 7 contexts, 1,011 rows."
      what="the database"
      failure={openFailure}
      onFind={(find) => void openFrom(find)}
    />
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
