/** A log that is read in pieces yields the records and the end of the whole. */
import { describe, expect, it } from "vitest";
import { copyBytes } from "../../src/bytes/bytes.js";
import { crc32c } from "../../src/lsm/format/crc32c.js";
import { BLOCK, type LogEnd, LogScanner, readLog } from "../../src/lsm/format/log-records.js";
import { log } from "../engines/files/fuzz/logs.js";
import { Random } from "../engines/files/history.js";

const NUMBER = 7;

/** The content of a log: offset, length and checksum of each record, and the end of the log. */
type Content = readonly [readonly string[], LogEnd];

const summary = (offset: number, payload: Uint8Array) => `${offset} ${payload.length} ${crc32c(payload)}`;

function asWhole(bytes: Uint8Array): Content {
  const { records, end } = readLog(bytes, NUMBER);
  return [records.map(({ offset, payload }) => summary(offset, payload)), end];
}

/** Reads a log in pieces of some blocks, whose memory is used again. */
function inPieces(bytes: Uint8Array, blocks: number): Content {
  const records: string[] = [];
  const scanner = new LogScanner(NUMBER, (offset, payload) => records.push(summary(offset, payload)) > 0);
  const piece = new Uint8Array(blocks * BLOCK);
  let end: LogEnd | undefined;
  for (let offset = 0; !scanner.ended; offset += piece.length) {
    const part = bytes.subarray(offset, offset + piece.length);
    piece.set(part);
    end = scanner.read(piece.subarray(0, part.length), offset + piece.length >= bytes.length);
    piece.fill(0xee);
  }
  return [records, end as LogEnd];
}

/** Records of a few bytes to a few blocks. */
function randomLog(random: Random): Uint8Array {
  const most = random.pick([50, 5000, 3 * BLOCK]);
  return log(Array.from({ length: 2 + random.below(40) }, () => random.bytes(1 + random.below(most))));
}

describe("a log in pieces", () => {
  it("is the same as the whole one: undamaged, truncated, with changed bytes, zeros and reserved space", () => {
    const random = new Random(5);
    const kinds = new Set<string>();
    for (let round = 0; round < 40; round++) {
      const bytes = randomLog(random);
      const changed = copyBytes(bytes);
      const at = random.below(bytes.length);
      changed[at] = (changed[at] as number) ^ (1 + random.below(255));
      const zeroed = copyBytes(bytes);
      zeroed.fill(0, at, at + random.below(2 * BLOCK));
      const reserved = new Uint8Array(bytes.length + random.below(4 * BLOCK));
      reserved.set(bytes);
      for (const one of [bytes, bytes.subarray(0, at), changed, zeroed, reserved]) {
        const whole = asWhole(one);
        kinds.add(whole[1].kind);
        for (const blocks of [1, 2, 5]) expect(inPieces(one, blocks)).toEqual(whole);
      }
    }
    expect([...kinds].sort()).toEqual(["damaged", "torn", "whole"]);
  });
});
