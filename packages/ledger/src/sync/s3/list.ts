/** A page of the list of keys of a bucket (ListObjectsV2): XML of one form, without attributes that matter. */

/** A page of a list. */
export interface ListedPage {
  /** The names below the prefix: keys, and folders without their `/`. */
  readonly names: readonly string[];
  /** The token of the next page; undefined for the last one. */
  readonly next: string | undefined;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** A key, or a folder with its `/`. The first `Prefix` of a page is that of the request. */
const KEY = /<Key>([^<]*)<\/Key>|<CommonPrefixes>\s*<Prefix>([^<]*)<\/Prefix>/g;

/** Parses a page; undefined for anything else. */
export function parseList(xml: string, prefix: string): ListedPage | undefined {
  if (!/<ListBucketResult[\s>]/.test(xml)) return undefined;
  const names: string[] = [];
  for (const [, key, folder = ""] of xml.matchAll(KEY)) {
    const path = unescaped(key ?? folder);
    const name = path.startsWith(prefix) ? path.slice(prefix.length).replace(/\/$/, "") : "";
    if (name !== "" && !name.includes("/")) names.push(name);
  }
  if (textIn(xml, "IsTruncated") !== "true") return { names, next: undefined };
  const next = textIn(xml, "NextContinuationToken");
  return next === undefined ? undefined : { names, next };
}

function textIn(xml: string, tag: string): string | undefined {
  const text = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1];
  return text === undefined ? undefined : unescaped(text);
}

function unescaped(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi,
    (all, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return ENTITIES[name] ?? all;
      const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
      return code <= 0x10_ffff ? String.fromCodePoint(code) : all;
    },
  );
}
