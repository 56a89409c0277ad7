/** Has the list: a page of a ledger in the private file system of the site, which syncs through a server. */
import { isMerostoreError } from "merostore";
import { folderCloud, httpStore, openLedger, originPlace } from "merostore-ledger";

let page;

const changes = {
  add: (text) => page.put(`item/${Date.now()}-${crypto.randomUUID()}/text`, text),
  done: (id, done) => page.put(`item/${id}/done`, done),
  text: (id, text) => page.put(`item/${id}/text`, text),
  remove: (id) =>
    page.transaction(async (tx) => {
      for (const field of ["text", "done"]) await tx.delete(`item/${id}/${field}`);
    }),
  async open({ server, token, key }) {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("list", { create: true });
    const cloud = folderCloud(httpStore(server, { token }), { key, interval: 2000 });
    const open = (wait) => openLedger(originPlace(folder, { wait }), { name: "list", cloud });
    const ledger = await open(false).catch((error) => {
      if (!isMerostoreError(error, "DATABASE_LOCKED")) throw error;
      tell("open in another tab: close it to go on here");
      return open(true);
    });
    page = await ledger.rootPage({ values: "json" });
    await page.watch({ values: false }, show);
    page.watchSyncState(({ download, upload }) => {
      if ([download, upload].includes("error")) tell("the server has damaged files, or another key or token");
      else if (download === "idle" && upload === "idle") tell("everything is on the server");
      else if (upload === "pending") tell("changes are kept here until the server has them");
    });
    await show();
  },
};

function tell(status) {
  globalThis.postMessage({ status });
}

/** The text of an item and whether it is done are entries of their own: two devices can change both. */
async function show() {
  const items = new Map();
  for await (const { key, value } of page.entries({ prefix: "item/" })) {
    const [, id, field] = new TextDecoder().decode(key).split("/");
    items.set(id, { ...items.get(id), id, [field]: value });
  }
  globalThis.postMessage({ items: [...items.values()].filter(({ text }) => text !== undefined) });
}

let last = Promise.resolve();
globalThis.onmessage = ({ data: { name, given } }) => {
  last = last.then(() => changes[name](...given)).catch((error) => tell(String(error)));
};
