/** A database with hostile names, as strangers may write them: markup, escapes, direction marks, a megabyte. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { core011, openStore } from "../../../../dist/index.js";

/** Names, and the beginning of each as a page must show it. */
export const hostileNames = [
  { name: "<img src=x onerror=\"document.title='markup'\">", shown: "<img src=x onerror=" },
  { name: "</script><script>document.title='script'</script>", shown: "</script><script>" },
  { name: "nice\u202egnp.exe", shown: "nice\\u202egnp.exe" },
  { name: "two\nlines\u001b[31m", shown: "two\\nlines\\u001b[31m" },
  { name: "m".repeat(1_000_000), shown: "mmmmmmmm" },
];

/** Copies a node's database and gives its groups these names. */
export async function hostileDatabase(source, folder) {
  const path = join(folder, "hostile");
  cpSync(source, path, { recursive: true });
  const store = await openStore(path, { writable: true, schema: core011 });
  try {
    const { key: GroupMetadata } = core011.row("GroupMetadata");
    const names = hostileNames.values();
    for await (const { key, value } of store.table(GroupMetadata).scan()) {
      const next = names.next();
      if (next.done) break;
      await store.put(key, { ...value, name: next.value.name });
    }
    await store.flush();
  } finally {
    await store.close();
  }
  return path;
}
