/** The rows of small pages, byte for byte, in memory and as LevelDB itself reads them from a folder. */
import { join } from "node:path";
import { openLevelEngine } from "merostore/engine";
import { toHex } from "merostore/internal";
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../../test/engines/level/helpers.js";
import { cleanUpAfterEach, temporaryFolder } from "../../../../test/engines/temporary.js";
import { expectedHash, text } from "../inputs.js";
import { TestPage } from "./pages.js";

cleanUpAfterEach();

const ZERO = "00".repeat(32);
const A = "23e2316ed45cf550ae662e2e6a6b2205d1ecbad5e1174cbd85472148417929e8";
const C = "8b0c640c05146f86ad83058cd370a1510508e2a06ca3a25627f0896a7d5e69d6";
const ROOT_A = "04eda5926363bb0a05bc1e9497d33e9d24f60d11ce3a8ae64bd1d390ae2ff99e34";
const ROOT_C = "0474dbb008f4ef9e3683cc3eb2dbaee44d553122639bc40c70af269679a8484f3f";
const BIG = "00d5c41f96e9a897824bec06c7b4e07d15adf0b7f70ff4b7616020e5b5388670cd";

const COMMIT_A =
  "14000000000000000c001c000c001400040008000c0000002000000050000000e8030000000000000100000000000000" +
  "08000c00040008000800000001000000040000002100000004eda5926363bb0a05bc1e9497d33e9d24f60d11ce3a8ae64b" +
  "d1d390ae2ff99e34000000010000000000000000000000000000000000000000000000000000000000000000000000";
const NODE_A =
  "04000000dcffffff0c00000004000000000000000100000004000000f4ffffff280000000c00000008000c0004000800" +
  "080000000100000004000000060000000176616c75650000030000006b657900";

/** Text, `<hex>`, text, … as the hex digits of a key. */
function key(written: string): string {
  return written
    .split(/[<>]/)
    .map((part, at) => (at % 2 === 1 ? part : toHex(text(part))))
    .join("");
}

function rows(written: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(written).map(([name, value]) => [key(name), value]));
}

const NEW_PAGE = rows({ [`heads/<${ZERO}>`]: "0000000000000000" });

const AFTER_A = rows({
  [`heads/<${A}>`]: "e803000000000000",
  [`commits/<${A}>`]: COMMIT_A,
  [`objects/<${ROOT_A}>`]: NODE_A,
  [`refcounts/<${ROOT_A}>/commit/<${A}>`]: "",
  [`local/objects/<${ROOT_A}01000000>`]: "",
  [`unsynced/commits/<${A}>`]: "0100000000000000",
});

/** The rows that C adds, without the bytes of the commit and of its root, whose hashes are given. */
const WITH_C = rows({
  [`heads/<${C}>`]: "d007000000000000",
  [`objects/<${BIG}>`]: "61".repeat(33),
  [`refcounts/<${ROOT_C}>/commit/<${C}>`]: "",
  [`refcounts/<${BIG}>/object/lazy/<${ROOT_C}>`]: "",
  [`local/objects/<${ROOT_C}01000000>`]: "",
  [`local/objects/<${BIG}01000000>`]: "",
  [`unsynced/commits/<${C}>`]: "0200000000000000",
});

async function commitA(page: TestPage): Promise<void> {
  page.now = 1000n;
  await page.edit((journal) => journal.put("key", "value"));
}

async function commitC(page: TestPage): Promise<void> {
  page.now = 2000n;
  await page.edit((journal) => journal.put("big", "a".repeat(33), "lazy"));
}

function expectAfterC(found: Readonly<Record<string, string>>): void {
  const { [key(`commits/<${C}>`)]: commit, [key(`objects/<${ROOT_C}>`)]: node, ...others } = found;
  const { [key(`heads/<${A}>`)]: _, ...kept } = AFTER_A;
  expect(others).toEqual({ ...kept, ...WITH_C });
  expect(expectedHash(Buffer.from(commit as string, "hex"))).toBe(C);
  expect(expectedHash(Buffer.from(node as string, "hex"))).toBe(ROOT_C.slice(2));
  expect(node).toHaveLength(2 * 172);
}

describe("the rows of a page in a folder, read by LevelDB alone", () => {
  const written = async (path: string) =>
    Object.fromEntries((await rowsOf(path)).map(([name, value]) => [toHex(name), toHex(value)]));

  it("are the same", async () => {
    const path = join(temporaryFolder(), "db");
    const created = await TestPage.open({}, await openLevelEngine(path, { create: true }));
    await created.storage.close();
    expect(await written(path)).toEqual(NEW_PAGE);

    const page = await TestPage.open({}, await openLevelEngine(path, { writable: true }));
    await commitA(page);
    await page.storage.close();
    expect(await written(path)).toEqual(AFTER_A);

    const again = await TestPage.open({}, await openLevelEngine(path, { writable: true }));
    await commitC(again);
    await again.storage.close();
    expectAfterC(await written(path));
  });
});
