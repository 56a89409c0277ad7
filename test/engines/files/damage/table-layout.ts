/** The blocks of a table file, and their places. */

import { readEntries } from "../../../../src/lsm/format/block.js";
import { ByteCursor } from "../../../../src/lsm/format/byte-cursor.js";
import { type Decompressors, loadDecompressors } from "../../../../src/lsm/format/compression.js";
import {
  type BlockHandle,
  FOOTER,
  type Footer,
  readFooter,
  readHandle,
} from "../../../../src/lsm/format/footer.js";
import { readIndex } from "../../../../src/lsm/format/index-block.js";
import { readMetaindex, readProperties } from "../../../../src/lsm/format/properties.js";

/** A block and its purpose: `data`, `index`, `metaindex`, or its name in the metaindex without `rocksdb.`. */
export interface NamedBlock {
  readonly name: string;
  readonly handle: BlockHandle;
}

export interface TableLayout {
  readonly footer: Footer;
  readonly blocks: readonly NamedBlock[];
  /** The dictionary that data blocks are compressed with. */
  readonly dictionary: Uint8Array | undefined;
  readonly decompressors: Decompressors;
  /** Decompressors without the dictionary. */
  readonly plain: Decompressors;
}

/** The blocks of an undamaged table whose index has one level. */
export async function tableLayout(table: Uint8Array): Promise<TableLayout> {
  const footerAt = table.length - FOOTER;
  const footer = await readFooter(table.subarray(footerAt), footerAt);
  const contents = ({ offset, size }: BlockHandle) => table.subarray(offset, offset + size);
  const metaindex = contents(footer.metaindex);
  const { index, properties, dictionary: handle } = readMetaindex(metaindex, footer);
  const format = readProperties(contents(properties), undefined);
  const dictionary = handle && contents(handle);
  const plain = await loadDecompressors(format.compression, footer.version);
  const decompressors = await loadDecompressors(
    format.compression,
    footer.version,
    dictionary && (async () => dictionary),
  );
  const type = table[index.offset + index.size] as number;
  const stored = contents(index);
  const expanded = type === 0 ? stored : decompressors.expand("other", type, stored);
  const blocks = readIndex(expanded, format, table.length);
  const data = Array.from({ length: blocks.length }, (_, at) => blocks.handle(at));
  const named = readEntries(metaindex).map(({ key, value }) => ({
    name: new TextDecoder().decode(key).replace("rocksdb.", ""),
    handle: readHandle(new ByteCursor(value)),
  }));
  return {
    ...{ footer, dictionary, decompressors, plain },
    blocks: [
      ...data.map((handle) => ({ name: "data", handle })),
      ...named.filter(({ name }) => name !== "index"),
      { name: "index", handle: index },
      { name: "metaindex", handle: footer.metaindex },
    ],
  };
}
