/** Removes from findings the ids and hashes of private entities. */
import { fromHex } from "../bytes/hex.js";
import type { EngineReader } from "../engine/engine.js";
import { isMerostoreError } from "../errors.js";
import {
  carriesEntity,
  findPrivateEntities,
  type HiddenEntities,
  mayCarryEntities,
  type PrivateEntities,
  type Schema,
  withoutNumbers,
} from "../schemas/index.js";
import type { Finding } from "./finding.js";

/**
 * Yields the findings of a check without these secrets, and returns the result of the check. Private entities are
 * looked for at the first finding.
 */
export async function* withoutSecrets<R>(
  findings: AsyncGenerator<Finding, R, undefined>,
  reader: EngineReader,
  schema: Schema,
): AsyncGenerator<Finding, R, undefined> {
  let privateEntities: PrivateEntities | "unknown" | undefined;
  try {
    for (;;) {
      const next = await findings.next();
      if (next.done === true) return next.value;
      const finding = next.value;
      const isPrivate = finding.column === "PrivateState";
      if (finding.key === null || isPrivate || !mayCarryEntities(finding.column)) {
        yield finding.key !== null && isPrivate ? redacted(finding, "unknown") : finding;
        continue;
      }
      privateEntities ??= await readable(findPrivateEntities(reader, schema));
      const hidden =
        privateEntities === "unknown"
          ? "unknown"
          : await readable(hiddenIn(reader, privateEntities, finding));
      yield hidden === undefined ? finding : redacted(finding, hidden);
    }
  } finally {
    // If the reader stops early or fails, the check stops too. For a finished check, this does nothing.
    await findings.return(undefined as R);
  }
}

function redacted(finding: Finding, hidden: HiddenEntities | "unknown"): Finding {
  const { column, key, message, found, expected, entity } = finding;
  const shown = (text: string): string => {
    // Hashes in the state's tree follow from the data, so a short secret could be guessed from its hash.
    const tells = column === "State" || hidden === "unknown" || carriesEntity(text, hidden.ids);
    if (hidden === "unknown" && column !== "State" && key?.includes(text)) return text; // shown already
    return tells ? "redacted" : text;
  };
  return {
    ...finding,
    message: withoutNumbers(message),
    ...(found !== undefined && { found: shown(found) }),
    ...(expected !== undefined && { expected: shown(expected) }),
    ...(entity !== undefined && { entity: shown(entity) }),
  };
}

async function hiddenIn(
  reader: EngineReader,
  privateEntities: PrivateEntities,
  { column, key }: Finding,
): Promise<HiddenEntities | undefined> {
  if (privateEntities.size === 0) return undefined;
  const bytes = fromHex(key ?? "");
  const value = await reader.get(column, bytes);
  return privateEntities.in(column, bytes, value ?? new Uint8Array(0));
}

/** A value that damage makes unreadable counts as unknown: it may be a secret. */
function readable<T>(reading: Promise<T>): Promise<T | "unknown"> {
  return reading.catch((error: unknown) => {
    if (isMerostoreError(error, "DATABASE_DAMAGED")) return "unknown" as const;
    throw error;
  });
}
