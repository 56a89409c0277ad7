/** Filters of tables are those of RocksDB for the same keys. */
import { describe, expect, it } from "vitest";
import { fromHex } from "../../src/bytes/hex.js";
import { FilterBuilder } from "../../src/lsm/format/encode-filter.js";

/** The filter of RocksDB 9.8.4 with 10 bits for each of {@link keys}. */
const OF_ROCKSDB = fromHex(
  "3e249d44d6f51a821636141019a4a3e63c60f982ccc36280400f4853c302a910fa2b001656f455194aade1a2e07efdf14555" +
    "d8cea818cf261e5f2846d9de30a131a6279489812109bfb4440b7d4be0908458ba68d382390832d5815d815444169c1a60bb" +
    "0479cc11bc065960ce1b341b1a7e2b97f9d85a831dde3eb78ee9a72821af8014d87c7e3a7f7a94237ce23c6755c502b2bf18" +
    "1d21fb4654d325f45cda3174209fbd5e3b930b2527462621ecc676447575822d2099ac2a5a91cab41ca8d4833dce423c2212" +
    "3d84312a04610d0677c98596b845b4a3c26fd163c62a8b18a955c03b3197f91fc62f2820b3822eef4824c79cfe1a88b60324" +
    "d591cea31b63392f64a12a3c41067b42e89402ec57b3da12e4a9288491000b85a34f6a401145854e0c2231421e0a858ce07a" +
    "a0d77d5524c02912271ac0e12c456eeee37d065eff00060000",
);

/** 256 keys, for which RocksDB too sets six bits of a key: of each length up to 240 bytes, and of 100 to 114. */
const keys = [...Array(241).keys(), ...Array.from({ length: 15 }, (_, at) => 100 + at)].map((length, at) =>
  Uint8Array.from({ length }, (_, byte) => (length * 31 + byte * 7 + Math.floor(at / 241)) & 255),
);

const noPause = async (): Promise<void> => undefined;

describe("The filter of a table", () => {
  it("equals RocksDB's for keys of all lengths", async () => {
    const filter = new FilterBuilder(10);
    for (const key of keys) filter.add(key);
    expect(await filter.finish(noPause)).toEqual(OF_ROCKSDB);
  });

  it("is left out without keys, and for keys that it cannot hash", async () => {
    expect(await new FilterBuilder(10).finish(noPause)).toBeUndefined();
    const filter = new FilterBuilder(10);
    for (const length of [10, 241, 20]) filter.add(new Uint8Array(length));
    expect(await filter.finish(noPause)).toBeUndefined();
  });
});
