/** Loaded before a program: writes what the process took into the file that USAGE_FILE names, when it ends. */
import { writeFileSync } from "node:fs";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const usage = { cpu: (userCPUTime + systemCPUTime) / 1000, peak: maxRSS / 1024 };
  writeFileSync(process.env.USAGE_FILE as string, JSON.stringify(usage));
});
