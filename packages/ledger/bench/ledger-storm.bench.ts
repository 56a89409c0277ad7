import type { Question } from "../../../bench/question.js";
import { storm } from "./storm.js";

export default {
  name: "ledger-storm",
  asks: "How many merges do 5 and 10 devices make that write at once, and when do they agree? Only if named: two minutes",
  against: "puts",
  wanted: "≤ 1 a put, ≤ 3 round trips",
  onlyNamed: true,
  async *answer() {
    for (const devices of [5, 10])
      for (const puts of [200, 1000, 5000]) {
        const made = await storm({ devices, puts, length: 10_000, interval: 1000, patience: 60_000 });
        const trips = made.untilEqual === undefined ? undefined : made.untilEqual / made.roundTrip;
        const agreed = trips === undefined ? "never equal" : `equal after ${trips.toFixed(1)} round trips`;
        yield `${devices} devices, a put every ${puts / 1000} s: ${made.puts} puts, ${made.merges} merges, ${agreed}`;
      }
  },
} satisfies Question;
