import { count, MerostoreError, size } from "merostore/internal";
import { command, flag, text } from "merostore/internal/commands";
import {
  folderCloud,
  httpStore,
  openLedger,
  type Page,
  type PageId,
  RepositoryView,
  s3Store,
  type Transferred,
} from "../index.js";
import { ledgerName, pageIn, parsePageId } from "./opening.js";
import { ofPage } from "./options.js";
import { wordIn } from "./serve.js";

/** Syncs pages with a folder or a server once. Status 1 if something waits for files. */
export const sync = command({
  words: "sync <dir> <cloud>",
  description: "sync pages with a folder, a server or a bucket, once",
  writes: true,
  options: {
    keyFile: text("<file>", "the file with the key of the folder: 64 hex digits"),
    tokenFile: text("<file>", "the file with the token of the server"),
    create: flag("make the repository or the page if it is missing"),
    restore: flag("the folder was emptied: fill it again"),
    ...ofPage,
  },
  help: `Examples:
  mkdir -p shared
  openssl rand -hex 32 > key
  merostore ledger sync data shared --key-file key
  merostore ledger sync data shared --key-file key --json | jq .down.bytes

CLOUD is a folder that devices share, the URL of "ledger serve", which needs --token-file, or s3://BUCKET/FOLDER, for
which AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL are set. All pages of the ledger
are synced unless --page names one. Each read of a part of a file counts as a file that comes down. Status 1 if
commits wait for files that are incomplete; 3 if the cloud cannot be reached, has another key, or has damaged files:
the rest is synced.`,

  async run(terminal, { dir, cloud: place }, options) {
    const key = options.keyFile === undefined ? undefined : wordIn(options.keyFile, "--key-file");
    const cloud = folderCloud(storeAt(place, options.tokenFile), { key, interval: 0 });
    const { name, ids } = await pagesToSync(dir, options);
    await using ledger = await openLedger(dir, { name, engine: options.engine, cloud });
    const pages: Page[] = [];
    for (const id of ids) pages.push(await ledger.page(id, { create: options.create }));
    using progress = terminal.progress("sync", "nothing");
    const follow = { onProgress: progress.show };
    await (options.restore ? cloud.restore(follow) : cloud.sync(follow));
    for (const page of pages) await page.waitForConflictResolution();
    const { waiting } = await cloud.sync(follow);
    const { down, up } = cloud.transferred;
    if (options.json) await terminal.line(JSON.stringify({ waiting, down, up }));
    else
      for (const [to, numbers] of [
        ["down", down],
        ["up", up],
      ] as const)
        await terminal.line(lineOf(to, numbers));
    if (waiting > 0) terminal.remark(`merostore: ${count(waiting)} packs are incomplete: sync again later`);
    return waiting > 0 ? 1 : 0;
  },
});

function lineOf(direction: string, { files, bytes, commits }: Transferred): string {
  return `${direction.padEnd(6)}${size(bytes)}, files: ${count(files)}, commits: ${count(commits)}`;
}

function storeAt(place: string, tokenFile: string | undefined) {
  const [, bucket, folder] = /^s3:\/\/([^/]*)\/?(.*?)\/?$/.exec(place) ?? [];
  if (bucket !== undefined) return s3Store(...bucketAt(bucket, folder === "" ? undefined : folder));
  if (!/^https?:/.test(place)) return place;
  if (tokenFile === undefined)
    throw new MerostoreError("INVALID_ARGUMENT", "give the token of the server: --token-file FILE");
  return httpStore(place, { token: wordIn(tokenFile, "--token-file") });
}

/** The service and the key of a bucket, from the variables that programs for S3 read. */
function bucketAt(bucket: string, folder: string | undefined): Parameters<typeof s3Store> {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_ENDPOINT_URL } = process.env;
  const { AWS_REGION: region = "us-east-1", AWS_ENDPOINT_URL_S3: url = AWS_ENDPOINT_URL } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw new MerostoreError(
      "INVALID_ARGUMENT",
      "give the access key of the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  const keys = {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN || undefined,
  };
  return [url || `https://s3.${region}.amazonaws.com`, { bucket, folder, region, ...keys }];
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
