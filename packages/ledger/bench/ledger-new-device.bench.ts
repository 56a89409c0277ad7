import type { Question } from "../../../bench/question.js";
import { newDevice } from "./new-device.js";

export default {
  name: "ledger-new-device",
  asks: "How long does a new device take for a page of 10,000 commits? Only if named: filling takes minutes",
  wanted: "≤ 10 s",
  onlyNamed: true,
  async *answer() {
    for (const puts of [200, 10_000]) {
      const { commits, cpu, time, untilVisible } = await newDevice({ entries: 1000, puts });
      const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
      yield `1,000 entries and ${commits} commits: ${seconds(time)}, ${seconds(cpu)} of CPU, entries there after ${seconds(untilVisible)}`;
    }
  },
} satisfies Question;
