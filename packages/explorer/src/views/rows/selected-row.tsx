/** The selected row: its fields beside its bytes, its JSON form, and links to it in other views. */
import { useState } from "preact/hooks";
import { historyAddress, searchAddress } from "../../page/addresses.js";
import type { Asked } from "../../page/use-answer.js";
import type { Answer } from "../../page/worker-client.js";
import { Copy } from "../../parts/copy.js";
import { Icon } from "../../parts/icon.js";
import { SHOWN_DIGITS } from "../../parts/id.js";
import { Answered, Empty } from "../../parts/states.js";
import { Text } from "../../parts/text.js";
import type { RowDetail } from "../../worker/rows/detail.js";
import { FieldsAndBytes } from "./fields-and-bytes.js";

export function SelectedRow({ asked, onClose }: { asked: Asked<Answer<"rowDetail">>; onClose: () => void }) {
  return (
    <Answered asked={asked} what="Reading the row.">
      {(detail) =>
        detail === undefined ? (
          <Empty heading="There is no row with this key.">
            <p>It was deleted, or the address is of another database.</p>
          </Empty>
        ) : (
          <Row detail={detail} onClose={onClose} />
        )
      }
    </Answered>
  );
}

function Row({ detail, onClose }: { detail: RowDetail; onClose: () => void }) {
  const [look, setLook] = useState<"fields" | "json">("fields");
  const history = historyOf(detail);
  return (
    <section class="panel row-detail" aria-label="The selected row">
      <div class="panel-head">
        <h2>
          <Title detail={detail} /> <Copy text={detail.key} what="the key in hex" />
        </h2>
        <div class="seg">
          <Choice words="Fields and bytes" isChosen={look === "fields"} onChoose={() => setLook("fields")} />
          <Choice words="JSON" isChosen={look === "json"} onChoose={() => setLook("json")} />
        </div>
        <button type="button" class="copy" aria-label="Close the row" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {look === "fields" ? (
        <FieldsAndBytes key={detail.key} parts={detail.parts} />
      ) : (
        <>
          <p class="panel-body">
            <Copy text={detail.json} what="the row as JSON" />{" "}
            <span class="quiet">as “scan --json” prints it</span>
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <pre class="json" tabIndex={0}>
            <Text value={detail.json} most={200_000} lines />
          </pre>
        </>
      )}
      <p class="panel-body rowflex">
        {history !== undefined && (
          <a class="btn small" href={history}>
            In history
          </a>
        )}
        <a class="btn small" href={searchAddress(lastId(detail) ?? detail.key)}>
          Mentions
        </a>
      </p>
    </section>
  );
}

/** The parts of the key, names first. */
function Title({ detail: { keyCells, key } }: { detail: RowDetail }) {
  if (keyCells.length === 0) return <code title={key}>{key.slice(0, 16)}</code>;
  return (
    <>
      {keyCells.map(({ id, text, thing }, at) => (
        <span key={at} class="key-part" title={id}>
          {id === undefined ? (
            <Text value={text} most={40} />
          ) : thing?.name === undefined ? (
            <code>{id.slice(0, SHOWN_DIGITS)}</code>
          ) : (
            <Text value={thing.name} most={40} />
          )}
        </span>
      ))}
    </>
  );
}

function Choice({ words, isChosen, onChoose }: { words: string; isChosen: boolean; onChoose: () => void }) {
  return (
    <button type="button" aria-pressed={isChosen} onClick={onChoose}>
      {words}
    </button>
  );
}

/** The place of a row's delta or operation in its history. */
function historyOf({ kind, parts }: RowDetail): string | undefined {
  const fields = parts[0]?.fields ?? [];
  const part = (name: string) => fields.find((field) => field.name === name)?.id;
  const [context, namespace, delta] = [part("contextId"), part("namespaceId"), part("deltaId")];
  if (kind === "ContextDagDelta" && context && delta) return historyAddress("context", context, delta);
  if (kind === "NamespaceGovOp" && namespace && delta) return historyAddress("namespace", namespace, delta);
  return undefined;
}

/** The id that identifies a row: the last one in its key. */
function lastId({ parts }: RowDetail): string | undefined {
  return parts[0]?.fields.findLast(({ id }) => id !== undefined)?.id;
}
