/** Logs as RocksDB writes them where it uses the files of old logs again. */
import { crc32c, maskCrc } from "../../../src/lsm/format/crc32c.js";
import { readLog } from "../../../src/lsm/format/log-records.js";

/** The records of a log in the form for a reused file: each physical record names its log. */
export function toRecyclable(log: Uint8Array, number: number): Uint8Array {
  const out: number[] = [];
  for (const { payload } of readLog(log).records) {
    let at = 0;
    do {
      let left = 32_768 - (out.length % 32_768);
      if (left < 11) {
        for (; left > 0; left--) out.push(0);
        left = 32_768;
      }
      const begins = at === 0;
      const part = payload.subarray(at, at + left - 11);
      at += part.length;
      const ends = at === payload.length;
      const record = new Uint8Array(11 + part.length);
      const view = new DataView(record.buffer);
      view.setUint16(4, part.length, true);
      record[6] = begins && ends ? 5 : begins ? 6 : ends ? 8 : 7;
      view.setUint32(7, number, true);
      record.set(part, 11);
      view.setUint32(0, maskCrc(crc32c(record, 6)), true);
      for (const byte of record) out.push(byte);
    } while (at < payload.length);
  }
  return Uint8Array.from(out);
}
