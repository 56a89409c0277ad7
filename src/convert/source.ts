/** The databases that can be converted or checked, and the revisions to convert to. */
import type { EngineReader } from "../engines/index.js";
import { MerostoreError } from "../errors.js";
import type { OptionCheck } from "../options.js";
import { core010, core011, detectRevision, undetected } from "../schemas/index.js";

/** The revisions to which databases are converted. */
export const convertedRevisions = ["core-0.11"] as const;

/** An option that names one of them. */
export const isConvertedRevision: OptionCheck = (value) =>
  (convertedRevisions as readonly unknown[]).includes(value)
    ? undefined
    : `"${convertedRevisions.join('" or "')}"`;

/** Throws unless a database is of core-0.10. @throws MerostoreError CONVERSION_UNSUPPORTED, or the errors of detection */
export async function checkSource(reader: EngineReader): Promise<void> {
  const detection = await detectRevision(reader);
  if (detection.revision === undefined) throw undetected(detection);
  const { name } = detection.revision;
  if (name === core010.name) return;
  const why =
    name === core011.name
      ? `the database is of ${core011.name} already`
      : name === "mixed"
        ? `${detection.reason}: a newer node has written to it. Convert a backup from before the upgrade; "export" and "show" read this one`
        : `the database is of ${name}, and only databases of ${core010.name} are converted`;
  throw new MerostoreError("CONVERSION_UNSUPPORTED", why);
}
