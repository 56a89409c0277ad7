/** The program of a worker that runs the engine contract over the private file system of its site, and answers what failed. */
import { openOriginFolder } from "merostore/engine/files";
import { engineConformance } from "merostore/testing";

/** Set by the message: before an await at the top of a module, messages would be lost. */
let root;
const folders = new WeakMap();
let made = 0;

const factory = {
  writable: true,
  async open(columns, operations) {
    const folder = await root.getDirectoryHandle(`engine-${made++}`, { create: true });
    const engine = await openOriginFolder(folder, { create: true, columns });
    await engine.write(operations);
    folders.set(engine, folder);
    return engine;
  },
  reopen: (closed) => openOriginFolder(folders.get(closed)),
  async cleanup() {
    for await (const name of root.keys()) await root.removeEntry(name, { recursive: true });
  },
};

const tests = [];
const titles = [];
engineConformance("origin", factory, {
  describe(title, define) {
    titles.push(title);
    define();
    titles.pop();
  },
  it: (title, test) => tests.push({ name: [...titles, title].join(" > "), test }),
});

globalThis.onmessage = async () => {
  root = await navigator.storage.getDirectory();
  const failed = [];
  for (const { name, test } of tests)
    await test().catch((error) => failed.push(`${name}: ${error?.stack ?? error}`));
  globalThis.postMessage({ answer: { tests: tests.length, failed } });
};
