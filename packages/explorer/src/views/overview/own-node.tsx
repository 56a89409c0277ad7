/** This node: its account, its device and its keys. */
import { Fragment } from "preact";
import { rowsAddress, searchAddress } from "../../page/addresses.js";
import { secretsRevealed } from "../../page/session.js";
import { useAnswer } from "../../page/use-answer.js";
import type { Answer } from "../../page/worker-client.js";
import { capitalised } from "../../parts/capitalised.js";
import { Copy } from "../../parts/copy.js";
import { Id } from "../../parts/id.js";
import { Redacted } from "../../parts/marks.js";
import { Pair } from "../../parts/pair.js";
import { Answered } from "../../parts/states.js";
import { count, plainText, Text } from "../../parts/text.js";
import { Panel } from "../../parts/view.js";

/** Digits of this node's own ids that are shown. */
const DIGITS = 16;
/** Public keys that are shown: before core-0.11 there is one for each namespace. */
const MOST_KEYS = 6;

/** The identities of this node. Secrets are requested only while they are revealed. */
export function OwnNode() {
  const asked = useAnswer("ownKeys", secretsRevealed.value);
  return (
    <Answered asked={asked} what="Reading the keys of this node.">
      {(keys) => (
        <Panel title="This node">
          <div class="panel-body">
            <Keys keys={keys} />
          </div>
        </Panel>
      )}
    </Answered>
  );
}

function Keys({ keys: { account, device, publicKeys, rows } }: { keys: Answer<"ownKeys"> }) {
  const secrets = rows.flatMap(({ kind, key, of, fields }) =>
    fields.filter(({ isSecret }) => isSecret).map((field) => ({ ...field, kind, key, of })),
  );
  if (account === undefined && device === undefined && publicKeys.length === 0 && secrets.length === 0)
    return <p class="quiet">No row says which keys are this node’s own.</p>;
  return (
    <dl class="kv">
      {account !== undefined && <IdRow words="Account" id={account} />}
      {device !== undefined && <IdRow words="Device" id={device} />}
      {publicKeys.slice(0, MOST_KEYS).map((key) => (
        <IdRow key={key} words="Public key" id={key} />
      ))}
      {publicKeys.length > MOST_KEYS && (
        <>
          <dt />
          <dd class="quiet">and {count(publicKeys.length - MOST_KEYS)} more</dd>
        </>
      )}
      {secrets.slice(0, MOST_KEYS).map(({ kind, key, name, value, of }) => (
        <Fragment key={key + name}>
          <dt>
            <a class="plainlink" href={rowsAddress(kind, {}, key)}>
              {wordsOf(name)}
            </a>
            {of && (
              <>
                {" "}
                <span class="quiet">{plainText(of.name ?? of.id.slice(0, 8), 20)}</span>
              </>
            )}
          </dt>
          <dd>{value === undefined ? <Redacted /> : <Secret value={value} words={wordsOf(name)} />}</dd>
        </Fragment>
      ))}
      {secrets.length > MOST_KEYS && (
        <>
          <dt />
          <dd class="quiet">
            and more in <a href={rowsAddress(secrets[0]?.kind ?? "")}>{secrets[0]?.kind}</a>
          </dd>
        </>
      )}
    </dl>
  );
}

function IdRow({ words, id }: { words: string; id: string }) {
  return (
    <Pair term={words}>
      <Id id={id} digits={DIGITS} address={searchAddress(id)} /> <Copy text={id} what={words.toLowerCase()} />
    </Pair>
  );
}

function Secret({ value, words }: { value: string; words: string }) {
  return (
    <>
      <code>
        <Text value={value} most={64} />
      </code>{" "}
      <Copy text={value} what={`the ${words.toLowerCase()}`} />
    </>
  );
}

/** `privateKey` as `Private key`. */
function wordsOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return capitalised(words).replace(/^Kem\b/, "KEM");
}
