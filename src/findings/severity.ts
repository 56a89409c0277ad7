/**
 * The severities of findings. `error`: no correct program writes such rows. `warning`: a crash or an unfinished sync
 * can leave them. `info`: normal, and worth knowing.
 */
export type Severity = "error" | "warning" | "info";

/** All severities, the most severe first. */
export const severities = ["error", "warning", "info"] as const satisfies readonly Severity[];

/** Returns whether a severity is `least` or more severe. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(least);
}
