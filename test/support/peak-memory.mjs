// Loaded into a process before its program: writes the most memory that the process had, in bytes, to a file at its end.
import { readFileSync, writeFileSync } from "node:fs";

process.on("exit", () => {
  writeFileSync(process.env.PEAK_MEMORY_FILE, String(peak()));
});

/** The peak from the system, without the memory of the process that started this one. */
function peak() {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s*(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
}
