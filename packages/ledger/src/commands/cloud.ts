import { count, size } from "merostore/internal";
import { command, fitted, json, table } from "merostore/internal/commands";
import { folderCloud } from "../index.js";
import { ABOUT_CLOUD, storeAt, tokenFile } from "./store-at.js";

/** Prints the pages in a cloud. */
export const cloud = command({
  words: "cloud <cloud>",
  description: "the pages in a folder, a server or a bucket: packs and bytes",
  options: { tokenFile, json },
  help: `Examples:
  mkdir -p shared
  merostore ledger cloud shared
  merostore ledger cloud shared --json | jq .bytes

No key is needed: the folder of a page has a name that does not tell the page's id.
${ABOUT_CLOUD}`,

  async run(terminal, { cloud: place }, { tokenFile, json: asJson }) {
    const pages = await folderCloud(storeAt(place, tokenFile), { interval: 0 }).pages();
    if (asJson) {
      for (const { folder, packs, bytes } of pages)
        await terminal.line(JSON.stringify({ folder, packs, bytes }));
      return 0;
    }
    const rows = pages.map(({ folder, packs, bytes }) => [folder, count(packs), size(bytes)]);
    const lines = table([["folder", "packs", "size"], ...rows], [1, 2]);
    for (const line of fitted(lines, terminal.width)) await terminal.line(line);
    return 0;
  },
});
