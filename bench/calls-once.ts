/** A process of its own: makes one call of the library, and says what it took. */
import { makeCall } from "./calls.js";
import { milliseconds, peak, turnsOf } from "./turns.js";

const [name, path, target] = process.argv.slice(2) as [string, string, string];

const turns = await turnsOf(() => makeCall(name, path, target));
console.log(
  JSON.stringify({ ...turns, cpu: Math.round(milliseconds(process.cpuUsage())), peak: Math.round(peak()) }),
);
