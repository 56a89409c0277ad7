import type { Question } from "../../../bench/question.js";
import { type FolderCost, idleSync, syncBesideJunk, syncOfPuts } from "./folder.js";

const costs = ({ cpu, time, files, bytes }: FolderCost): string =>
  `${Math.round(time)} ms, ${Math.round(cpu)} ms of CPU, ${files} files, ${Math.round(bytes / 1000)} kB`;

export default {
  name: "ledger-folder",
  asks: "What do puts leave in a shared folder, and what does syncing cost? Only if named",
  onlyNamed: true,
  async *answer() {
    yield `160 puts into an empty page: ${costs(await syncOfPuts(0, 160))}`;
    yield `640 puts into 10,000 entries: ${costs(await syncOfPuts(10_000, 640))}`;
    for (const commits of [200, 2000])
      yield `nothing to sync, ${commits} commits: ${costs(await idleSync(commits))}`;
    const [first, next] = await syncBesideJunk(20_000);
    yield `20,000 foreign files: ${costs(first)}; again: ${costs(next)}`;
  },
} satisfies Question;
