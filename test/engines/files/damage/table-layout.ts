/** The blocks of a table file, and their places. */

import { readEntries } from "../../../../src/lsm/format/block.js";
import { ByteCursor } from "../../../../src/lsm/format/byte-cursor.js";
import { loadDecompressors } from "../../../../src/lsm/format/compression.js";
import {
  type BlockHandle,
  FOOTER,
  type Footer,
  readFooter,
  readHandle,
} from "../../../../src/lsm/format/footer.js";
import { readIndex } from "../../../../src/lsm/format/index-block.js";
import { readMetaindex, readProperties } from "../../../../src/lsm/format/properties.js";

/** A block and what it is for: `data`, `index`, `metaindex`, or its name in the metaindex without `rocksdb.`. */
export interface NamedBlock {
  readonly name: string;
  readonly handle: BlockHandle;
}

export interface TableLayout {
  readonly footer: Footer;
  readonly blocks: readonly NamedBlock[];
}

/** The blocks of an undamaged table whose index has one level. */
export async function tableLayout(table: Uint8Array): Promise<TableLayout> {
  const footerAt = table.length - FOOTER;
  const footer = await readFooter(table.subarray(footerAt), footerAt);
  const contents = ({ offset, size }: BlockHandle) => table.subarray(offset, offset + size);
  const metaindex = contents(footer.metaindex);
  const { index, properties } = readMetaindex(metaindex, footer);
  const format = readProperties(contents(properties), undefined);
  const decompressors = await loadDecompressors(format.compression, footer.version);
  const type = table[index.offset + index.size] as number;
  const plain = type === 0 ? contents(index) : decompressors.expand("other", type, contents(index));
  const blocks = readIndex(plain, format, table.length);
  const data = Array.from({ length: blocks.length }, (_, at) => blocks.handle(at));
  const named = readEntries(metaindex).map(({ key, value }) => ({
    name: new TextDecoder().decode(key).replace("rocksdb.", ""),
    handle: readHandle(new ByteCursor(value)),
  }));
  return {
    footer,
    blocks: [
      ...data.map((handle) => ({ name: "data", handle })),
      ...named.filter(({ name }) => name !== "index"),
      { name: "index", handle: index },
      { name: "metaindex", handle: footer.metaindex },
    ],
  };
}
