/** Runs programs that must obey file modes, even if the tests run as root. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";

/**
 * Root without the rights to ignore modes. It still owns the checkout, which other users may not enter, and has only
 * the rights of the owner.
 */
const WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

/** Runs a program that must obey the modes of files. Fails if root cannot give up its rights. */
export function boundByModes(program: string, words: readonly string[]): SpawnSyncReturns<string> {
  const isRoot = process.getuid?.() === 0;
  const [first, ...rest] = [...(isRoot ? WITHOUT_RIGHTS : []), program, ...words];
  const result = spawnSync(first as string, rest, { encoding: "utf8", timeout: 60_000 });
  if (result.error !== undefined && isRoot)
    throw new Error("as root this test needs the program setpriv of util-linux", { cause: result.error });
  return result;
}

/** Runs a program that may write files of at most `kib` KiB, as on a full disk. */
export function onFullDisk(kib: number, ...words: readonly string[]) {
  return spawnSync("bash", ["-c", `ulimit -f ${kib}; exec "$@"`, "bash", process.execPath, ...words], {
    encoding: "utf8",
    timeout: 60_000,
  });
}
