/** Reading of a picked file: in one stream where long reads follow each other, in parts elsewhere. */
import { File } from "node:buffer";
import { expect, it } from "vitest";
import type { PickedFile } from "../../src/engines/files/index.js";
import { PickedPages } from "../../src/lsm/picked-pages.js";
import { PickedSource } from "../../src/lsm/picked-source.js";
import { rejection } from "../support/rejection.js";

const MEGABYTE = 1024 * 1024;
const content = Uint8Array.from({ length: 5 * MEGABYTE }, (_, at) => (at * 31 + (at >> 12)) % 251);

/** A file that counts reads, and gives streams in uneven pieces. */
function fileOf(bytes: Uint8Array, size = bytes.length, pages?: PickedPages) {
  const asked = { parts: 0, streams: 0, ended: 0 };
  const file: PickedFile = {
    name: "1.sst",
    size,
    slice: (start, end) => ({
      async arrayBuffer() {
        asked.parts++;
        return new Uint8Array(bytes.subarray(start, end)).buffer;
      },
      stream() {
        asked.streams++;
        let at = start;
        return {
          getReader: () => ({
            async read() {
              if (at >= Math.min(end, bytes.length)) return { done: true };
              const value = bytes.subarray(at, Math.min(at + 70_001, end));
              at += value.length;
              return { done: false, value };
            },
            async cancel() {
              asked.ended++;
            },
          }),
        };
      },
    }),
  };
  return { asked, source: new PickedSource(file, "the folder/1.sst", pages) };
}

it("reads a scan in one stream, and the bytes are the same", async () => {
  const { source, asked } = fileOf(content);
  for (let at = 0; at < content.length; at += MEGABYTE) {
    const read = await source.read(at, new Uint8Array(MEGABYTE));
    expect(Buffer.compare(read, content.subarray(at, at + MEGABYTE))).toBe(0);
  }
  expect(asked).toEqual({ parts: 1, streams: 1, ended: 1 });
});

it.each([
  { scans: 2, streams: 2 },
  { scans: 4, streams: 0 }, // too many: each part is read alone
])("serves $scans scans at once, and ends every stream when it is closed", async ({ scans, streams }) => {
  const { source, asked } = fileOf(content);
  const length = 200_000;
  for (let step = 0; step < 4; step++)
    for (const start of [0, 1_000_000, 2_000_000, 3_000_000].slice(0, scans)) {
      const at = start + step * length;
      const read = await source.read(at, new Uint8Array(length));
      expect(Buffer.compare(read, content.subarray(at, at + length))).toBe(0);
    }
  source.close();
  expect(asked).toMatchObject({ streams, ended: streams });
});

it("reads a scan of a File as browsers have it, whose stream fills a buffer again and again", async () => {
  const source = new PickedSource(new File([content], "1.sst"), "the folder/1.sst");
  for (let at = 0; at < content.length; at += MEGABYTE) {
    const read = await source.read(at, new Uint8Array(MEGABYTE));
    expect(Buffer.compare(read, content.subarray(at, at + MEGABYTE))).toBe(0);
  }
});

it("says that a truncated file is damaged", async () => {
  const { source } = fileOf(content.subarray(0, 2_500_000), content.length);
  await source.read(0, new Uint8Array(MEGABYTE));
  await source.read(MEGABYTE, new Uint8Array(MEGABYTE));
  await rejection(source.read(2 * MEGABYTE, new Uint8Array(MEGABYTE)), "DATABASE_DAMAGED");
});

it("reads what lies close together at once, of each file its own bytes", async () => {
  const pages = new PickedPages();
  const files = [content, content.toReversed()].map((bytes) => ({
    bytes,
    ...fileOf(bytes, bytes.length, pages),
  }));
  const lengths = [1, 53, 4096, 16_384];
  for (let at = 0; at < 300_000; at += 7001)
    for (const { bytes, source } of files)
      for (const length of lengths) {
        const read = await source.read(at, new Uint8Array(length));
        expect(Buffer.compare(read, bytes.subarray(at, at + length))).toBe(0);
      }
  for (const { asked } of files) expect(asked).toEqual({ parts: 5, streams: 0, ended: 0 });
});

it("asks again for bytes that could not be read", async () => {
  const whole = new File([content], "1.sst");
  let fails = true;
  const file: PickedFile = {
    name: "1.sst",
    size: content.length,
    slice: (start, end) => ({
      async arrayBuffer() {
        if (fails) throw new Error("the disk was busy");
        return whole.slice(start, end).arrayBuffer();
      },
    }),
  };
  const source = new PickedSource(file, "the folder/1.sst");
  await rejection(source.read(10, new Uint8Array(10)), "ENGINE_FAILED");
  fails = false;
  expect(await source.read(10, new Uint8Array(10))).toEqual(content.subarray(10, 20));
  await rejection(source.read(content.length - 5, new Uint8Array(10)), "DATABASE_DAMAGED");
});
