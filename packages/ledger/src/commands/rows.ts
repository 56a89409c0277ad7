import type { Json } from "merostore/codec";
import type { ByteRange, EngineReader, RawRow } from "merostore/engine";
import { counted, isMerostoreError, MerostoreError, toHex } from "merostore/internal";
import {
  clip,
  command,
  flag,
  type IdLook,
  inline,
  short,
  type Terminal,
  text,
} from "merostore/internal/commands";
import {
  type AnyRow,
  COLUMN,
  decodeFileIndex,
  decodeNode,
  nameRow,
  objectRow,
  objectType,
  pageRows,
  pieceType,
  RepositoryView,
  syncMetadataRow,
  usageRows,
} from "../index.js";
import { ofPage, openPage } from "./opening.js";

/** A row as it is printed. */
interface ShownRow {
  /** Null for a row of no known kind. */
  readonly kind: string | null;
  readonly key: string;
  readonly parts?: { readonly [part: string]: Json };
  /** Bytes of the value. */
  readonly size: number;
  readonly value?: Json;
  readonly damage?: string;
}

/** Prints the rows of a page, or of the database of usage, by their names. */
export const rows = command({
  words: "rows <dir>",
  description: "rows of a page's database, named and decoded",
  options: {
    kind: text("<name>", "only rows of this kind"),
    usage: flag("rows of the database that says when pages were used"),
    ...ofPage,
  },
  help: `Examples:
  merostore ledger rows data
  merostore ledger rows data --kind commit
  merostore ledger rows data --usage
  merostore ledger rows data --json | jq -r .kind | sort | uniq -c

Rows come in the order of their keys; a row of no known kind has the kind null. Pieces are shown without their content.`,

  async run(terminal, { dir }, options) {
    const kinds = options.usage ? usageRows : pageRows;
    const kind = options.kind === undefined ? undefined : kindOf(kinds, options.kind);
    const { json } = options;
    if (options.usage) {
      await using engine = await RepositoryView.at(dir, options.engine).openUsage();
      await print(terminal, engine, kinds, kind, json);
      return 0;
    }
    await using page = await openPage(terminal, dir, options);
    await print(terminal, page.view.engine, kinds, kind, json);
    return 0;
  },
});

function kindOf(kinds: readonly AnyRow[], name: string): AnyRow {
  const found = kinds.find(({ kind }) => kind === name);
  if (found !== undefined) return found;
  const list = kinds.map(({ kind }) => kind).join(", ");
  throw new MerostoreError(
    "INVALID_ARGUMENT",
    `there is no kind of row ${JSON.stringify(name)}; the kinds are ${list}`,
  );
}

async function print(
  terminal: Terminal,
  engine: EngineReader,
  kinds: readonly AnyRow[],
  kind: AnyRow | undefined,
  json: boolean,
): Promise<void> {
  using progress = terminal.progress("rows", "rows");
  const range: ByteRange = kind?.range() ?? {};
  let done = 0;
  for await (const chunk of engine.scan(COLUMN, range).chunks()) {
    for (const stored of chunk) {
      const row = shown(kinds, stored);
      if (kind !== undefined && row.kind !== kind.kind) continue;
      await terminal.line(json ? JSON.stringify(row) : clip(lineOf(row, terminal.ids), terminal.width));
    }
    done += chunk.length;
    progress.show({ done, unit: "rows" });
  }
}

/** A row as it is printed. Content that users and clouds have stored is not shown, only its size. */
function shown(kinds: readonly AnyRow[], stored: RawRow): ShownRow {
  const key = toHex(stored.key);
  const size = stored.value.length;
  const piece = objectRow.key.parse(stored.key);
  if (kinds === pageRows && piece !== undefined) {
    const parts = objectRow.key.toJson(piece);
    return { kind: objectRow.kind, key, parts, size, ...pieceOf(piece.digest, stored.value) };
  }
  const named = nameRow(kinds, stored);
  if (named === undefined) return { kind: null, key, size };
  const row = { kind: named.row.kind, key, parts: named.key, size };
  if (named.damage !== undefined) return { ...row, damage: named.damage };
  return named.row.kind === syncMetadataRow.kind ? row : { ...row, value: named.value };
}

/** The type of a piece, without its content. */
function pieceOf(
  digest: Uint8Array,
  content: Uint8Array,
): { readonly value: Json } | { readonly damage: string } {
  const of = objectType(digest) === "tree-node" ? "tree node" : "value";
  try {
    if (pieceType(digest) === "index") {
      const { size, children } = decodeFileIndex(content);
      return { value: { piece: "index", of, pieces: children.length, size: size.toString() } };
    }
    if (of === "value") return { value: { piece: "chunk", of } };
    const { level, entries, children } = decodeNode(content);
    const counted = children.filter((child) => child !== undefined).length;
    return { value: { piece: "chunk", of, level, entries: entries.length, children: counted } };
  } catch (error) {
    if (!isMerostoreError(error, "DATA_INTEGRITY_ERROR")) throw error;
    return { damage: error.message };
  }
}

function lineOf({ kind, key, parts, size, value, damage }: ShownRow, ids: IdLook): string {
  if (kind === null) return `(unknown)  key ${short(key, ids)}  ${counted(size, "byte")}`;
  const named = Object.entries(parts ?? {}).map(([name, part]) => `${name}=${inline(part, ids)}`);
  const content = damage !== undefined ? `damaged: ${damage}` : value == null ? "" : inline(value, ids);
  return [kind, ...named, content, value == null && size > 0 ? counted(size, "byte") : ""]
    .filter(Boolean)
    .join("  ");
}
