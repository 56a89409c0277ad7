/** Bounds of unpacking a bundle: a small one unpacks freely, and a larger one may grow by a factor. */
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { gunzip } from "../../../src/state/manifest/gunzip.js";
import { rejection } from "../../support/rejection.js";

const MIB = 1024 * 1024;

/** A bundle of bytes that do not pack, and of zeros, which pack to nothing. */
const packed = (random: number, zeros: number): Uint8Array =>
  gzipSync(Buffer.concat([randomBytes(random), Buffer.alloc(zeros)]), { level: 1 });

it("takes any bundle that unpacks to 16 MiB, and a larger one that grows less than twentyfold", async () => {
  expect(await gunzip(packed(0, 16 * MIB))).toHaveLength(16 * MIB);
  expect(await gunzip(packed(MIB, 18 * MIB))).toHaveLength(19 * MIB);
});

it("refuses one that grows more", async () => {
  await rejection(gunzip(packed(0, 16 * MIB + 1)), "ABI_NOT_FOUND");
  await rejection(gunzip(packed(MIB, 30 * MIB)), "ABI_NOT_FOUND", /unpacks to more than 2\d{7} bytes/);
});
