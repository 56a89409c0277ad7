import { count, counted, invalidArgument, size, toHex } from "merostore/internal";
import { command, flag, text } from "merostore/internal/commands";
import {
  folderCloud,
  openLedger,
  type Page,
  type PageId,
  RepositoryView,
  type Transferred,
} from "../index.js";
import { ABOUT_CLOUD, storeAt, tokenFile, wordIn } from "./cloud.js";
import { device, deviceIn, rememberRoster } from "./devices.js";
import { ledgerName, ofPage, pageIn, parsePageId } from "./opening.js";

/** Syncs pages with a folder or a server once. Status 1 if something waits for files, or may not be sent. */
export const sync = command({
  words: "sync <dir> <cloud>",
  description: "sync pages with a folder, a server or a bucket, once",
  writes: true,
  options: {
    keyFile: text("<file>", "the file with the key of the folder: 64 hex digits"),
    device,
    tokenFile,
    create: flag("make the repository or the page if it is missing"),
    restore: flag("the folder was emptied: fill it again"),
    ...ofPage,
  },
  help: `Examples:
  mkdir -p shared
  openssl rand -hex 32 > key
  merostore ledger sync data shared --key-file key
  merostore ledger sync data shared --key-file key --json | jq .down.bytes

${ABOUT_CLOUD}
All pages of the ledger are synced unless --page names one. Each read of a part of a file counts as a file that comes
down. A folder with devices takes --device instead of a key: "ledger help device". Status 1 if commits wait for files
that are incomplete, or stay here because this device may only read; 3 if the cloud cannot be reached, has another key,
or has damaged files: the rest is synced.`,

  async run(terminal, { dir, cloud: place }, options) {
    const key = options.keyFile === undefined ? undefined : wordIn(options.keyFile, "--key-file");
    if (key !== undefined && !/^[0-9a-f]{64}$/i.test(key))
      throw invalidArgument("--key-file: the key of a folder is 64 hex digits");
    const own = options.device === undefined ? undefined : deviceIn(options.device);
    const cloud = folderCloud(storeAt(place, options.tokenFile), { key, device: own, interval: 0 });
    const { name, ids } = await pagesToSync(dir, options);
    await using ledger = await openLedger(dir, { name, engine: options.engine, cloud });
    const pages: Page[] = [];
    for (const id of ids) pages.push(await ledger.page(id, { create: options.create }));
    using progress = terminal.progress("sync", "nothing");
    const follow = { onProgress: progress.show };
    await (options.restore ? cloud.restore(follow) : cloud.sync(follow));
    for (const page of pages) await page.waitForConflictResolution();
    const { waiting, refused, unsent = [] } = await cloud.sync(follow);
    if (options.device !== undefined) rememberRoster(options.device, cloud.roster);
    const { down, up } = cloud.transferred;
    const kept = unsent.map(({ id, ...of }) => ({ page: toHex(id), ...of }));
    if (options.json)
      await terminal.json({ waiting, refused, ...(kept.length > 0 && { unsent: kept }), down, up });
    else await terminal.lines([lineOf("down", down), lineOf("up", up)]);
    if (refused !== undefined)
      terminal.remark(`packs of devices that may not write, which are refused: ${count(refused)}`);
    for (const { page, commits } of kept)
      terminal.remark(
        `the page ${page} keeps ${counted(commits, "commit")}: this device may only read the cloud`,
      );
    if (waiting > 0) terminal.remark(`${counted(waiting, "pack")} incomplete: sync again later`);
    return waiting > 0 || kept.length > 0 ? 1 : 0;
  },
});

function lineOf(direction: string, { files, bytes, commits }: Transferred): string {
  return `${direction.padEnd(6)}${size(bytes)}, files: ${count(files)}, commits: ${count(commits)}`;
}

/** The ledger, and its pages: the named one, or all. */
async function pagesToSync(
  dir: string,
  options: Parameters<typeof sync.run>[2],
): Promise<{ readonly name: string; readonly ids: readonly (PageId | Uint8Array)[] }> {
  const { name, page, engine, create } = options;
  if (create && name !== undefined) return { name, ids: [parsePageId(page)] };
  const repository = RepositoryView.at(dir, engine);
  const ledger = await ledgerName(repository, dir, name);
  return {
    name: ledger,
    ids: page === undefined ? await repository.pages(ledger) : [await pageIn(repository, ledger, page)],
  };
}
