/** The commits that a page shows to its cloud and takes from it. */

import { toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { listOf } from "../../../../test/support/lists.js";
import { rejection } from "../../../../test/support/rejection.js";
import { type CommitBytes, MissingCommits, memoryPlace, type SyncedPage } from "../../src/index.js";
import { faultsOf, readStored, rowsOf } from "../stored.js";
import { begin, contents, headOf, testLedger, twoOf } from "../support.js";
import { Courier, devicesOf } from "./courier.js";

const ids = (commits: readonly { readonly id: Uint8Array }[]): string[] => commits.map(({ id }) => toHex(id));

async function missing(call: Promise<void>): Promise<string[]> {
  const error = await rejection(call, "COMMIT_NOT_FOUND");
  expect(error).toBeInstanceOf(MissingCommits);
  return (error as MissingCommits).missing.map(toHex);
}

describe("commits that come", () => {
  it("in their order are added, and added again change nothing", async () => {
    await using all = await devicesOf(2);
    const [one, two] = all;
    for (let at = 0; at < 3; at++) await one.page.put(`key${at}`, `value${at} `.repeat(50));
    const commits = await one.courier.commits();
    await two.courier.page.addCommits(commits.slice(0, 1), "peer");
    await two.courier.page.addCommits(commits, "peer");
    await two.courier.page.addCommits(commits, "peer");
    await two.courier.page.addCommits([], "peer");
    expect(await headOf(two.page)).toEqual(await headOf(one.page));
    expect(await contents(two.page)).toEqual(await contents(one.page));
    expect(ids(await two.courier.commits())).toEqual(ids(commits));
  });

  it("before their parents: the missing ones are named, and nothing is added", async () => {
    await using all = await devicesOf(2);
    const [one, two] = all;
    for (let at = 0; at < 3; at++) await one.page.put(`key${at}`, `value${at}`);
    const [first, second, third] = (await one.courier.commits()) as [CommitBytes, CommitBytes, CommitBytes];
    const { page } = two.courier;
    expect(await missing(page.addCommits([second], "cloud"))).toEqual(ids([first]));
    expect(await missing(page.addCommits([third], "peer"))).toEqual(ids([second]));
    // Out of order.
    expect(await missing(page.addCommits([second, first], "cloud"))).toEqual(ids([first]));
    expect(await missing(page.addCommits([first, third], "cloud"))).toEqual(ids([second]));
    expect(await contents(two.page)).toEqual({});
    expect(await two.courier.commits()).toEqual([]);
    await page.addCommits([first, second, third], "cloud");
    expect(await contents(two.page)).toEqual(await contents(one.page));
  });

  it("a merge with one parent unknown is refused, and names that one", async () => {
    await using all = await devicesOf(2);
    const [one, two] = all;
    const [page1, page2] = await twoOf(one.ledger);
    const tx1 = await begin(page1);
    await page2.put("b", "2");
    await tx1.put("a", "1");
    await tx1.commit();
    await page1.waitForConflictResolution();
    const [first, second, merge] = (await one.courier.commits()) as [CommitBytes, CommitBytes, CommitBytes];
    expect(await missing(two.courier.page.addCommits([first, merge], "peer"))).toEqual(ids([second]));
    expect(await missing(two.courier.page.addCommits([merge], "peer"))).toHaveLength(2);
    await two.courier.page.addCommits([second, first, merge], "peer");
    expect(await contents(two.page)).toEqual({ a: "1", b: "2" });
    await all.close();
    const stored = await readStored(two.place);
    expect(rowsOf(stored, "merge")).toHaveLength(1);
    expect(stored.heads).toEqual(ids([merge]));
  });

  it("whose bytes do not match their id, or are not a commit, are refused", async () => {
    await using all = await devicesOf(2);
    const [one, two] = all;
    await one.page.put("a", "1");
    await one.page.put("b", "2");
    const [first, second] = (await one.courier.commits()) as [CommitBytes, CommitBytes];
    const bytes = first.bytes.slice();
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    for (const wrong of [bytes, second.bytes, new Uint8Array(0), new Uint8Array(200)])
      await rejection(
        two.courier.page.addCommits([{ id: first.id, bytes: wrong }], "cloud"),
        "DATA_INTEGRITY_ERROR",
      );
    expect(await contents(two.page)).toEqual({});
    expect(await two.courier.commits()).toEqual([]);
  });

  it("whose pieces cannot be had are refused, and can be added later", async () => {
    await using all = await devicesOf(2);
    const [one, two] = all;
    await one.page.put("a", "x".repeat(200_000));
    const commits = await one.courier.commits();
    await one.ledger.close();
    await rejection(two.courier.page.addCommits(commits, "cloud"), "NETWORK_ERROR");
    expect(await contents(two.page)).toEqual({});
    const again = await testLedger({ cloud: one.courier }, one.place);
    const page = await again.rootPage();
    await two.courier.page.addCommits(commits, "cloud");
    expect(await contents(two.page)).toEqual(await contents(page));
    await again.close();
  });
});

it("from the cloud commits and pieces are synced; from a peer they are still to go there", async () => {
  await using all = await devicesOf(3);
  const [one, cloud, peer] = all;
  await one.page.put("a", "x".repeat(100));
  const commits = await one.courier.commits();
  await cloud.courier.page.addCommits(commits, "cloud");
  await peer.courier.page.addCommits(commits, "peer");
  expect(await cloud.courier.commits()).toEqual([]);
  expect(ids(await peer.courier.commits())).toEqual(ids(commits));
  // The cloud turns out to have it.
  await peer.courier.page.addCommits(commits, "cloud");
  expect(await peer.courier.commits()).toEqual([]);
  await all.close();
  const fromPeer = await readStored(peer.place);
  expect(rowsOf(fromPeer, "online")).toHaveLength(1);
  expect(rowsOf(await readStored(cloud.place), "online")).toHaveLength(1);
});

it("commits go up in the order of their generations, each until it is marked; so do pieces", async () => {
  const [device] = await devicesOf(1);
  const [page1, page2] = await twoOf(device.ledger);
  const { page } = device.courier;
  const tx1 = await begin(page1);
  for (let at = 0; at < 3; at++) await page2.put(`b${at}`, `${at} `.repeat(50));
  await tx1.put("a", "x".repeat(100));
  await tx1.commit();
  await page1.waitForConflictResolution();
  const commits = await page.unsyncedCommits();
  // Generations 1, 1, 2, 3 and 4.
  expect(commits).toHaveLength(5);
  const place = new Map(ids(commits).map((id, at) => [id, at]));
  expect(place.get(toHex(await headOf(page1)))).toBe(4);
  for (const { id } of commits.slice(0, 2)) await page.markSynced({ commits: [id] });
  expect(ids(await page.unsyncedCommits())).toEqual(ids(commits.slice(2)));
  const pieces = await piecesOf(page);
  // Four values and five roots.
  expect(pieces).toHaveLength(9);
  const [some] = pieces;
  if (some !== undefined) {
    expect((await page.piece(some)).length).toBeGreaterThan(32);
    await page.markSynced({ pieces: [some] });
    await page.markSynced({ pieces: [some] });
  }
  expect(await piecesOf(page)).toHaveLength(8);
  await device.ledger.close();
});

async function piecesOf(page: SyncedPage) {
  return listOf(page.unsyncedPieces());
}

it("a piece whose content does not match its digest is refused, and valid pieces are accepted", async () => {
  const [source, target] = Courier.network(2) as [Courier, Courier];
  let spoil = (content: Uint8Array): Uint8Array => content;
  const connect: Courier["connect"] = async (page) => {
    const connection = await target.connect(page);
    return {
      ...connection,
      fetchPiece: async (identifier) => {
        const piece = await connection.fetchPiece(identifier);
        return { ...piece, content: spoil(piece.content.slice()) };
      },
    };
  };
  const place = memoryPlace();
  await using one = await testLedger({ cloud: source });
  const two = await testLedger({ cloud: { connect } }, place);
  const [writer, page] = [await one.rootPage(), await two.rootPage()];
  await writer.put("lazy", "lazy ".repeat(40_000), { priority: "lazy" });
  await writer.put("eager", "eager ".repeat(40_000));
  const commits = await source.commits();
  for (const wrong of [
    (content: Uint8Array) => content.fill(7, 20, 21),
    (content: Uint8Array) => content.subarray(1),
    () => new Uint8Array(0),
  ]) {
    spoil = wrong;
    await rejection(target.page.addCommits(commits, "cloud"), "DATA_INTEGRITY_ERROR");
    expect(await contents(page)).toEqual({});
  }
  spoil = (content) => content;
  await target.page.addCommits(commits, "cloud");
  await using snapshot = await page.snapshot();
  spoil = (content) => content.fill(7, 20, 21);
  await rejection(snapshot.get("lazy", { fetch: true }), "DATA_INTEGRITY_ERROR");
  await rejection(snapshot.get("lazy"), "NEEDS_FETCH");
  spoil = (content) => content;
  expect(await snapshot.get("lazy", { fetch: true })).toHaveLength(200_000);
  await two.close();
  expect(faultsOf(await readStored(place))).toEqual([]);
});

it("metadata of the cloud is kept for it, also when the page is opened again", async () => {
  const [device] = await devicesOf(1);
  const key = Uint8Array.of(47, 0);
  expect(await device.courier.page.metadata(key)).toBeUndefined();
  await device.page.put("a", "1");
  await device.courier.page.setMetadata(key, Uint8Array.of(1, 2));
  await device.courier.page.setMetadata(key, Uint8Array.of(3));
  await device.page.close();
  await using _page = await device.ledger.rootPage();
  expect(await device.courier.page.metadata(key)).toEqual(Uint8Array.of(3));
  await device.ledger.close();
});

it("a page that a peer got was online, and is not removed because it is empty", async () => {
  const [device] = await devicesOf(1);
  await device.courier.page.markSyncedToPeer();
  await device.page.close();
  expect(await device.ledger.pages()).toHaveLength(1);
  await device.ledger.close();
});

it("watchers and other connections are notified of received commits", async () => {
  await using all = await devicesOf(2);
  const [one, two] = all;
  const changes: string[][] = [];
  using watcher = await two.page.watch(
    {},
    ({ changed }) => void changes.push(changed.map(({ key }) => `${key}`)),
  );
  let told = 0;
  const end = two.courier.page.onCommits(() => told++);
  for (let at = 0; at < 3; at++) await one.page.put(`key${at}`, `value${at}`);
  await two.courier.bring(one.courier);
  await watcher.idle();
  expect(changes.flat()).toHaveLength(3);
  expect(told).toBe(1);
  end();
  await two.page.put("a", "1");
  expect(told).toBe(1);
  expect(await contents(two.page)).toMatchObject({ a: "1", key2: "value2" });
});
