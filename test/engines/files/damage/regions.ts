/** The meanings of bytes in a database's files, as places for damage. */

import { BLOCK_TRAILER } from "../../../../src/lsm/format/checksum.js";
import { FOOTER } from "../../../../src/lsm/format/footer.js";
import { BLOCK, HEADER } from "../../../../src/lsm/format/log-records.js";
import { tableLayout } from "./table-layout.js";

/** The bytes `[start, end)` of a file, at least one. */
export interface Region {
  readonly start: number;
  readonly end: number;
  /** The kind of the region, without a number: `table data contents`, `log record type`. */
  readonly what: string;
}

/** All regions of an undamaged file; an empty list for a file that no reader reads. */
export async function regionsOf(name: string, bytes: Uint8Array): Promise<Region[]> {
  const regions = await unchecked(name, bytes);
  return regions.filter(({ start, end }) => start < end);
}

async function unchecked(name: string, bytes: Uint8Array): Promise<Region[]> {
  if (name.endsWith(".sst")) return tableRegions(bytes);
  if (name.endsWith(".log")) return logRegions("log", bytes);
  if (name.startsWith("MANIFEST")) return logRegions("MANIFEST", bytes);
  if (name === "CURRENT") return currentRegions(bytes);
  if (name.startsWith("OPTIONS")) return optionsRegions(bytes);
  return [];
}

async function tableRegions(bytes: Uint8Array): Promise<Region[]> {
  const { blocks } = await tableLayout(bytes);
  const regions = blocks.flatMap(({ name, handle: { offset, size } }) => [
    { start: offset, end: offset + size, what: `table ${name} contents` },
    { start: offset + size, end: offset + size + 1, what: `table ${name} compression` },
    { start: offset + size + 1, end: offset + size + BLOCK_TRAILER, what: `table ${name} checksum` },
  ]);
  const at = bytes.length - FOOTER;
  const footer = [
    { start: at, end: at + 1, what: "table footer checksum type" },
    { start: at + 1, end: at + 17, what: "table footer beginning" },
    { start: at + 17, end: at + 41, what: "table footer rest" },
    { start: at + 41, end: at + 45, what: "table footer version" },
    { start: at + 45, end: at + FOOTER, what: "table footer magic" },
  ];
  return [...regions, ...footer];
}

interface Part {
  readonly start: number;
  readonly end: number;
  /** 1 for a whole record, 2 for the first part of one, 3, and 4 for the last. */
  readonly type: number;
}

/** The records of an undamaged log, and the parts of records that span blocks. */
function partsOf(log: Uint8Array): Part[] {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  const parts: Part[] = [];
  for (let at = 0; at < log.length; ) {
    const left = BLOCK - (at % BLOCK);
    if (left < HEADER) {
      at += left;
      continue;
    }
    const end = at + HEADER + view.getUint16(at + 4, true);
    parts.push({ start: at, end, type: view.getUint8(at + 6) });
    at = end;
  }
  return parts;
}

function logRegions(file: string, bytes: Uint8Array): Region[] {
  let last = 0;
  const regions = partsOf(bytes).flatMap(({ start, end, type }) => {
    const name = `${file} ${type === 1 ? "record" : "part"}`;
    const padding = { start: last, end: start, what: `${file} padding` };
    last = end;
    return [
      padding,
      { start, end: start + 4, what: `${name} checksum` },
      { start: start + 4, end: start + 6, what: `${name} length` },
      { start: start + 6, end: start + HEADER, what: `${name} type` },
      { start, end: start + HEADER, what: `${name} header` },
      { start: start + HEADER, end, what: `${name} payload` },
    ];
  });
  // Damage of many records at once.
  return [...regions, { start: 0, end: bytes.length, what: `${file} anywhere` }];
}

function currentRegions(bytes: Uint8Array): Region[] {
  return Array.from(bytes, (_, at) => ({ start: at, end: at + 1, what: "CURRENT" }));
}

function optionsRegions(bytes: Uint8Array): Region[] {
  const regions: Region[] = [];
  const line = /[^\n]*\n/g;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
  for (const match of text.matchAll(line)) {
    const what = match[0].startsWith("[CFOptions") ? "OPTIONS family" : "OPTIONS";
    regions.push({ start: match.index, end: match.index + match[0].length, what });
  }
  return regions;
}

/** The end of the last record of a log that lies before `position`. */
export function wholeRecordsBefore(log: Uint8Array, position: number): number {
  return partsOf(log).findLast(({ end, type }) => end <= position && (type === 1 || type === 4))?.end ?? 0;
}

/** The ends of the records of an undamaged log. */
export function recordEnds(log: Uint8Array): number[] {
  return partsOf(log)
    .filter(({ type }) => type === 1 || type === 4)
    .map(({ end }) => end);
}
