/** The rows of states that do not decode. */
import { ReadFailure } from "../../codec/index.js";
import { Pause } from "../../pause.js";
import type { Schema } from "../../schemas/index.js";
import type { StoreReader } from "../../store/browser.js";
import { hasKind, type NodeReader } from "./rows.js";
import { unreadOf } from "./unread.js";

/** Bytes of a key of State since core-1.0. Before core-1.0, most rows hold data that only the application decodes. */
const KEY = 65;

/** Reads the state of every context, and counts the rows that do not decode among the unread rows. */
export async function noteUnreadState(reader: StoreReader<Schema>): Promise<void> {
  if (!hasKind(reader as unknown as NodeReader, "ContextState")) return;
  const row = reader.schema.row("ContextState");
  if (row.key.SIZE !== KEY) return;
  const pause = new Pause();
  for await (const chunk of reader.raw.scan(row.column).chunks())
    for (const { key: bytes, value } of chunk) {
      if (bytes.length !== KEY) continue;
      const key = row.key.view(bytes);
      const found = row.alternativeAt(key)?.readWhole(value);
      if (found instanceof ReadFailure) unreadOf(reader).add("ContextState", key, found.mayBeLater);
      if (pause.isLong) await pause.ifLong();
    }
}
