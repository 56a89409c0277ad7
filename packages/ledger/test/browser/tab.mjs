/** The program of a worker that holds a ledger in the private file system of its site: each message is a call, and has an answer. */
import { isMerostoreError } from "merostore";
import { openRepository, originPlace, verifyPage } from "merostore-ledger";

let repository;
let ledger;

const folder = async () => {
  const root = await navigator.storage.getDirectory();
  return root.getDirectoryHandle("data", { create: true });
};

const calls = {
  async open(wait) {
    const place = originPlace(await folder(), { wait });
    repository = await openRepository(place);
    ledger = await repository.ledger("contacts");
    return "open";
  },
  async put(id, key, value) {
    await using page = await ledger.page(id, { values: "text" });
    await page.put(key, value);
    return "put";
  },
  async entries(id) {
    await using page = await ledger.page(id, { values: "text" });
    const found = {};
    for await (const { key, value } of page.entries()) found[new TextDecoder().decode(key)] = value;
    return found;
  },
  pages: async () => [await repository.ledgers(), (await ledger.pages()).map(String)],
  delete: (id) => ledger.deletePage(id),
  /** Leaves a page as a deletion that was interrupted does. */
  async halve(id) {
    const files = await pageFiles(id);
    await files.removeEntry("CURRENT");
  },
  async verify(id) {
    const place = originPlace(await folder());
    await using engine = await place.openPage("contacts", Uint8Array.fromHex(id), { create: false });
    const findings = [];
    for await (const { severity, rule } of verifyPage(engine)) findings.push(`${severity} ${rule}`);
    return findings;
  },
  close: () => repository.close(),
};

async function pageFiles(id) {
  const base64 = (bytes) =>
    btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-")
      .replaceAll("/", "_");
  let found = await folder();
  for (const name of [
    "35",
    "ledgers",
    base64(new TextEncoder().encode("contacts")),
    base64(Uint8Array.fromHex(id)),
    "rocksdb",
  ])
    found = await found.getDirectoryHandle(name);
  return found;
}

globalThis.onmessage = async ({ data: { number, call, given } }) => {
  try {
    globalThis.postMessage({ number, answer: await calls[call](...given) });
  } catch (error) {
    globalThis.postMessage({
      number,
      error: isMerostoreError(error) ? error.code : String(error?.stack ?? error),
    });
  }
};
