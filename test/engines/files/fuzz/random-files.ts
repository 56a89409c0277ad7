/** Databases with random changes in one file. */

import { FOOTER } from "../../../../src/lsm/format/footer.js";
import { readLog } from "../../../../src/lsm/format/log-records.js";
import { type TableLayout, tableLayout } from "../damage/table-layout.js";
import type { Files, Hostile } from "./databases.js";
import { log, sealLog } from "./logs.js";
import { type Below, scramble, scrambled } from "./mutations.js";
import { seal, sealFooter } from "./tables.js";

interface Table {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly layout: TableLayout;
}

async function tablesOf(files: Files): Promise<Table[]> {
  const tables: Table[] = [];
  for (const [name, bytes] of files) {
    if (name.endsWith(".sst")) tables.push({ name, bytes, layout: await tableLayout(bytes) });
  }
  return tables;
}

/** Changes in blocks whose checksums are not read. */
export async function* looseBlocks(files: Files, count: number, below: Below): AsyncGenerator<Hostile> {
  const loose = (await tablesOf(files)).map(({ layout, ...table }) => ({
    ...table,
    blocks: layout.blocks.filter(({ name }) => ["data", "index", "range_del"].includes(name)),
  }));
  for (let at = 0; at < count; at++) {
    const { name, bytes, blocks } = pick(loose, below);
    const { offset, size } = pick(blocks, below).handle;
    const changed = bytes.slice();
    scramble(changed, offset, offset + size + 1, below);
    yield { name: `block ${at}, at byte ${offset} of ${name}`, files: replaced(files, name, changed) };
  }
}

/** Changes in all blocks and in footers, with checksums that fit. */
export async function* sealedBlocks(files: Files, count: number, below: Below): AsyncGenerator<Hostile> {
  const tables = await tablesOf(files);
  for (let at = 0; at < count; at++) {
    const { name, bytes, layout } = pick(tables, below);
    const changed = bytes.slice();
    const block = layout.blocks[below(layout.blocks.length + 2)];
    if (block === undefined) {
      const start = bytes.length - FOOTER;
      scramble(changed, start, start + 45, below);
      sealFooter(changed.subarray(start), start);
    } else {
      const { offset, size } = block.handle;
      scramble(changed, offset, offset + size + 1, below);
      seal(changed.subarray(offset, offset + size + 5), offset, layout.footer.baseContext);
    }
    const what = block === undefined ? "footer" : block.name;
    yield { name: `sealed ${at}, ${what} of ${name}`, files: replaced(files, name, changed) };
  }
}

/** Changes in a log or a MANIFEST, with checksums that fit: in one record, or anywhere. */
export function* sealedLogs(files: Files, name: string, count: number, below: Below): Generator<Hostile> {
  const original = files.get(name) as Uint8Array;
  const payloads = readLog(original).records.map(({ payload }) => payload);
  for (let at = 0; at < count; at++) {
    let changed: Uint8Array;
    if (below(4) === 0) {
      changed = original.slice();
      scramble(changed, 0, changed.length, below);
      sealLog(changed);
    } else {
      const which = below(payloads.length);
      changed = log(
        payloads.map((payload, index) => (index === which ? scrambled(payload, below) : payload)),
      );
    }
    yield { name: `${name} ${at}`, files: replaced(files, name, changed) };
  }
}

function replaced(files: Files, name: string, bytes: Uint8Array): Files {
  return new Map([...files, [name, bytes]]);
}

function pick<T>(list: readonly T[], below: Below): T {
  return list[below(list.length)] as T;
}
