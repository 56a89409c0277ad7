import { closeSync, readFileSync } from "node:fs";
import { count, invalidArgument, size } from "merostore/internal";
import { command, fitted, json, table, text, utc } from "merostore/internal/commands";
import { type FileStore, folderCloud, httpStore, s3Store } from "../index.js";
import { inputFile } from "./change.js";
import { timeText } from "./text.js";

/** The file with the token of a server. */
export const tokenFile = text("<file>", "the file with the token of the server");

/** The paragraph of the help about the word that names a cloud. */
export const ABOUT_CLOUD = `CLOUD is a folder that devices share, the URL of "ledger serve", which needs --token-file, or s3://BUCKET/FOLDER, for
which AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL are set.`;

/** Returns the folder or the store that a word names. @throws MerostoreError INVALID_ARGUMENT */
export function storeAt(place: string, tokenFile: string | undefined): FileStore | string {
  const [, bucket, folder] = /^s3:\/\/([^/]*)\/?(.*?)\/?$/.exec(place) ?? [];
  if (bucket !== undefined) return s3Store(...bucketAt(bucket, folder === "" ? undefined : folder));
  if (!/^https?:/.test(place)) return place;
  if (tokenFile === undefined) throw invalidArgument("give the token of the server: --token-file FILE");
  return httpStore(place, { token: wordIn(tokenFile, "--token-file") });
}

/** The service and the key of a bucket, from the variables that programs for S3 read. */
function bucketAt(bucket: string, folder: string | undefined): Parameters<typeof s3Store> {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_ENDPOINT_URL } = process.env;
  const { AWS_REGION: region = "us-east-1", AWS_ENDPOINT_URL_S3: url = AWS_ENDPOINT_URL } = process.env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    throw invalidArgument(
      "give the access key of the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  const keys = {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN || undefined,
  };
  return [url || `https://s3.${region}.amazonaws.com`, { bucket, folder, region, ...keys }];
}

/** The content of a file, without white space around it. @param option the option that names it, for errors */
export function wordIn(path: string, option: string): string {
  const { descriptor } = inputFile(path, option);
  try {
    return readFileSync(descriptor, "utf8").trim();
  } finally {
    closeSync(descriptor);
  }
}

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
        await terminal.json({ folder, packs, bytes, changed });
      return 0;
    }
    const rows = pages.map(({ folder, packs, bytes, changed }) => [
      ...[folder, count(packs), size(bytes)],
      changed === undefined ? "" : timeText(BigInt(changed.getTime()) * 1_000_000n, utc),
    ]);
    const lines = table([["folder", "packs", "size", "changed"], ...rows], [1, 2]);
    await terminal.lines(fitted(lines, terminal.width));
    return 0;
  },
});
