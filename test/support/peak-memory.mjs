// Loaded into a process before its program: writes the most memory that the process had, in bytes, to a file at its end.
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  writeFileSync(process.env.PEAK_MEMORY_FILE, String(process.resourceUsage().maxRSS * 1024));
});
