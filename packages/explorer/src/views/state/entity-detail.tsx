/** The details of the selected part: its value, its entity, and the deltas that changed it. */
import { rowsAddress, stateAddress } from "../../page/addresses.js";
import type { Asked } from "../../page/use-answer.js";
import type { Answer } from "../../page/worker-client.js";
import { CopiedId } from "../../parts/copied-id.js";
import { Icon } from "../../parts/icon.js";
import { Id } from "../../parts/id.js";
import { Pair } from "../../parts/pair.js";
import { ShownProblem, ShownValue } from "../../parts/shown-value.js";
import { Answered } from "../../parts/states.js";
import { count, counted, plainText, Text } from "../../parts/text.js";
import { utc } from "../../parts/time.js";
import { EntityDeltas } from "./entity-deltas.js";

type Entity = NonNullable<Answer<"stateEntity">>;

/** The detail at the right, or at the bottom of narrow pages. */
export function EntityDetail({
  contextId,
  asked,
  onClose,
}: {
  contextId: string;
  asked: Asked<Answer<"stateEntity">>;
  onClose: () => void;
}) {
  return (
    <aside class="panel detail" aria-label="The chosen entity">
      <Answered asked={asked} what="Looking for the entity.">
        {(found) => found && <Detail contextId={contextId} found={found} onClose={onClose} />}
      </Answered>
    </aside>
  );
}

function Detail({ contextId, found, onClose }: { contextId: string; found: Entity; onClose: () => void }) {
  const { row, entity, slots, belonging, names, rows } = found;
  return (
    <>
      <div class="panel-head">
        <h2 class="st-title">
          {row === undefined ? (
            entity?.row === undefined ? (
              "No entity has this id"
            ) : (
              "An entity that no field leads to"
            )
          ) : (
            <Text value={wayInWords(row.path)} most={160} />
          )}
        </h2>
        <button type="button" class="copy" aria-label="Close the detail" title="Close" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <div class="panel-body cols st-detail">
        <dl class="kv">
          {row !== undefined && (
            <Pair term="Value">
              {row.problem === undefined ? (
                <div class="st-whole">
                  <ShownValue value={row.value} />
                </div>
              ) : (
                <>
                  <ShownProblem problem={row.problem} />
                  {row.problem.bytes !== undefined && (
                    <div class="st-raw">
                      <code>{row.problem.bytes}</code>
                      {row.problem.size * 2 > row.problem.bytes.length && (
                        <span class="quiet"> … {counted(row.problem.size, "byte")}</span>
                      )}
                    </div>
                  )}
                </>
              )}
            </Pair>
          )}
          {row?.type !== undefined && (
            <Pair term="Type">
              <code>{plainText(row.type, 300)}</code>
            </Pair>
          )}
          <EntityPairs contextId={contextId} entity={entity} names={names} />
        </dl>
        {slots.length > 0 && (
          <section>
            <h3>The sum of what each added</h3>
            <dl class="kv">
              {slots.map(({ who, name, amount }) => (
                <Pair key={who} term={<Id id={who} name={name} />}>
                  <b>{amount}</b>
                </Pair>
              ))}
            </dl>
          </section>
        )}
        {belonging.map(({ what, entity: inner }) => (
          <section key={inner.id}>
            <h3>{BELONGING[what] ?? "The collection in it"}</h3>
            <dl class="kv">
              <EntityPairs contextId={contextId} entity={inner} names={names} isShort />
            </dl>
          </section>
        ))}
        {entity !== undefined && <EntityDeltas contextId={contextId} entityId={entity.id} />}
        {rows.length > 0 && (
          <p class="st-buttons">
            {rows.map(({ kind, what, key }) => (
              <a key={key} class="btn small" href={rowsAddress(kind, { contextId }, key)}>
                {ROWS[what]}
              </a>
            ))}
          </p>
        )}
      </div>
    </>
  );
}

const ROWS: Readonly<Record<"index" | "entry" | "entity", string>> = {
  index: "Row of the tree",
  entry: "Row of the data",
  entity: "Row of the entity",
};

const BELONGING: Readonly<Record<string, string>> = {
  counter: "The counter in it",
  value: "The value that was written",
  sequence: "The text in it",
};

/** An entity in the Merkle tree. */
function EntityPairs({
  contextId,
  entity,
  names,
  isShort = false,
}: {
  contextId: string;
  entity: Entity["entity"];
  names: Entity["names"];
  isShort?: boolean;
}) {
  if (entity === undefined) return null;
  const { id, row } = entity;
  return (
    <>
      <Pair term="Entity">
        <CopiedId id={id} what="the id of the entity" />
      </Pair>
      {row === undefined ? (
        <Pair term="Tree">No row of the tree has this entity.</Pair>
      ) : (
        <>
          {!isShort && (
            <Pair term="Parent">
              {row.parent === undefined ? (
                "none: it is the root"
              ) : row.parent === contextId ? (
                "the root"
              ) : (
                <Id id={row.parent} address={stateAddress(contextId, row.parent)} />
              )}
            </Pair>
          )}
          <Pair term="Full hash">
            <CopiedId id={row.fullHash} what="the full hash" />
          </Pair>
          <Pair term="Own hash">
            <CopiedId id={row.ownHash} what="the own hash" />
          </Pair>
          {!isShort && (
            <>
              <Pair term="Storage">{STORAGE[row.storage] ?? row.storage}</Pair>
              {row.owner !== undefined && (
                <Pair term="Owner">
                  <Id id={row.owner} name={names[row.owner]} />
                </Pair>
              )}
              {row.writers.length > 0 && (
                <Pair term="Writers">
                  {row.writers.slice(0, 20).map(({ account, mask }) => (
                    <div key={account}>
                      <Id id={account} name={names[account]} /> <span class="quiet">rights {mask}</span>
                    </div>
                  ))}
                  {row.writers.length > 20 && (
                    <span class="quiet">and {count(row.writers.length - 20)} more</span>
                  )}
                </Pair>
              )}
              <Pair term="Created">{utc(row.created)}</Pair>
            </>
          )}
          <Pair term="Updated">{utc(row.updated)}</Pair>
          {row.deleted !== undefined && <Pair term="Deleted">{utc(row.deleted)}</Pair>}
          {row.name !== undefined && (
            <Pair term="Stored as">
              <code>
                <Text value={row.name} most={120} />
              </code>
            </Pair>
          )}
          {(row.children > 0 || row.deletedChildren > 0) && (
            <Pair term="Children">
              {count(row.children)}
              {row.deletedChildren > 0 && (
                <span class="quiet">, and {count(row.deletedChildren)} deleted</span>
              )}
            </Pair>
          )}
        </>
      )}
    </>
  );
}

/** The identities that may write an entity. */
const STORAGE: Readonly<Record<string, string>> = {
  Public: "Public: every member writes it",
  User: "User: its owner writes it",
  Frozen: "Frozen: nobody changes it",
  Shared: "Shared: its writers write it",
  SharedMember: "Part of a shared value",
};

/** A path as a person reads it. */
function wayInWords(path: string): string {
  return path.replace(/\[("(?:[^"\\]|\\.)*"|\d+)\]/g, (_, step: string) => ` → ${unquoted(step)}`);
}

function unquoted(step: string): string {
  try {
    return String(JSON.parse(step));
  } catch {
    return step;
  }
}
