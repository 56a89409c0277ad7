import { count, size } from "merostore/internal";
import { command, fitted, json, table, utc } from "merostore/internal/commands";
import { folderCloud } from "../index.js";
import { ABOUT_CLOUD, storeAt, tokenFile } from "./store-at.js";
import { timeText } from "./text.js";

/** Prints the pages in a cloud. */
export const cloud = command({
  words: "cloud <cloud>",
  description: "the pages in a folder, a server or a bucket: packs, bytes, and when changed",
  options: { tokenFile, utc, json },
  help: `Examples:
  mkdir -p shared
  merostore ledger cloud shared
  merostore ledger cloud shared --json | jq .bytes

No key is needed: the folder of a page has a name that does not tell the page's id. changed: when its newest pack was
written, in local time, or with --utc in UTC.
${ABOUT_CLOUD}`,

  async run(terminal, { cloud: place }, { tokenFile, utc, json: asJson }) {
    const pages = await folderCloud(storeAt(place, tokenFile), { interval: 0 }).pages();
    if (asJson) {
      for (const { folder, packs, bytes, changed } of pages)
        await terminal.line(JSON.stringify({ folder, packs, bytes, changed }));
      return 0;
    }
    const rows = pages.map(({ folder, packs, bytes, changed }) => [
      ...[folder, count(packs), size(bytes)],
      changed === undefined ? "" : timeText(BigInt(changed.getTime()) * 1_000_000n, utc),
    ]);
    const lines = table([["folder", "packs", "size", "changed"], ...rows], [1, 2]);
    for (const line of fitted(lines, terminal.width)) await terminal.line(line);
    return 0;
  },
});
