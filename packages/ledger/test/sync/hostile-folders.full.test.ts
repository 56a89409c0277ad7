/** A folder with devices whose files are changed at random: no device takes an entry that none has written. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMerostoreError } from "merostore/internal";
import { expect, it, onTestFinished } from "vitest";
import { Random } from "../../../../test/engines/files/history.js";
import { folderCloud } from "../../src/index.js";
import { contents, PAGE, testLedger } from "../support.js";
import { Team } from "./team.js";

const ROUNDS = 150;
const EXPECTED = [
  "NETWORK_ERROR",
  "DATA_INTEGRITY_ERROR",
  "WRONG_KEY",
  "ILLEGAL_STATE",
  "FORMAT_UNSUPPORTED",
];

/** Changes of the first pack, in rounds before those at random: none, another byte in its proof, no file. */
const PLANNED: readonly ((file: string) => void)[] = [
  () => undefined,
  (file) => {
    const bytes = readFileSync(file);
    bytes[40] = (bytes[40] as number) ^ 1;
    writeFileSync(file, bytes);
  },
  (file) => rmSync(file),
];

it("a folder with devices whose files are changed, cut, exchanged and removed brings what was written, or less", async () => {
  const team = await Team.start();
  onTestFinished(() => team.remove());
  const [one, two] = [await team.add("one"), await team.add("two")];
  const written: Record<string, string> = {};
  let first: string | undefined;
  for (const [number, { page, cloud }] of [one, two, one, two].entries()) {
    written[`key${number}`] = `value ${number}`;
    await page.put(`key${number}`, `value ${number}`);
    await cloud.sync();
    first ??= team.folder.files("packs/")[0];
  }
  const lost = await team.add("lost");
  await lost.page.put("lost", "yes");
  written.lost = "yes";
  await lost.cloud.sync();
  await team.devices.remove("lost");
  const reader = await team.add("reader", "read");
  const files = team.folder.files();
  const random = new Random(1);
  const anyFile = () => files[random.below(files.length)] as string;
  const outcomes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const path = mkdtempSync(join(tmpdir(), "merostore-hostile-"));
    cpSync(team.path, path, { recursive: true });
    PLANNED[round]?.(join(path, first as string));
    for (let change = 0; round >= PLANNED.length && change <= random.below(3); change++) {
      const [file, other] = [join(path, anyFile()), anyFile()];
      const bytes = readFileSync(join(team.path, other));
      const kind = random.below(4);
      if (kind === 0) bytes[random.below(bytes.length)] = random.below(256);
      if (kind === 3) rmSync(file, { force: true });
      else if (kind === 0) writeFileSync(join(path, other), bytes);
      else writeFileSync(file, kind === 1 ? bytes.subarray(0, random.below(bytes.length)) : bytes);
    }
    const cloud = folderCloud(path, { interval: 0, patience: 0, device: reader.own });
    await using ledger = await testLedger({ cloud });
    const page = await ledger.page(PAGE);
    for (let sync = 0; sync < 2; sync++)
      try {
        const { refused = 0, waiting } = await cloud.sync();
        outcomes.add(refused > 0 ? "refused" : waiting > 0 ? "waiting" : "whole");
      } catch (error) {
        expect(isMerostoreError(error) && EXPECTED.includes(error.code), String(error)).toBe(true);
        outcomes.add(isMerostoreError(error) ? error.code : "");
      }
    for (const [key, value] of Object.entries(await contents(page))) expect(value).toBe(written[key]);
    await ledger.close();
    rmSync(path, { recursive: true });
  }
  expect([...outcomes]).toEqual(expect.arrayContaining(["whole", "refused", "waiting", "NETWORK_ERROR"]));
});
