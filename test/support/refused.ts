/** Running programs to which the system refuses what file modes forbid, also where the tests run as root. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";

/**
 * Root without the rights to pass over modes: it still owns the checkout, which nobody else may be able to enter, and
 * is refused what the owner is refused.
 */
const WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

/** Runs a program as somebody who is bound by the modes of files. Fails where root cannot give up its rights. */
export function boundByModes(program: string, words: readonly string[]): SpawnSyncReturns<string> {
  const isRoot = process.getuid?.() === 0;
  const [first, ...rest] = [...(isRoot ? WITHOUT_RIGHTS : []), program, ...words];
  const result = spawnSync(first as string, rest, { encoding: "utf8", timeout: 60_000 });
  if (result.error !== undefined && isRoot)
    throw new Error("as root this test needs the program setpriv of util-linux", { cause: result.error });
  return result;
}
