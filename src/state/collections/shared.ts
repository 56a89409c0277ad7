/** Values that several accounts write, and the log of their writers. */
import { cellValueId, mapEntryId, rotationLogId } from "../../digests/index.js";
import { Damage } from "../layouts/layout.js";
import { StateCollection } from "./collection.js";
import { isThere, type Split, type Unsplit } from "./entry-body.js";
import type { StateEntry } from "./scope.js";

const VALUE_KEY = new TextEncoder().encode("__calimero_shared_value__");

/** A value that several accounts write. `details` names them. */
export class StateShared extends StateCollection {
  readonly kind = "shared";

  /** True if its writers are fixed for ever. */
  get isFrozen(): boolean {
    return this.handle.bytes.at(-1) === 1;
  }

  /**
   * The value with its entity; undefined before the first write.
   *
   * @throws StateError if the shared value cannot be opened
   */
  async value(): Promise<StateEntry | undefined> {
    const opened = await this.open();
    const [entry] = await this.entriesOf([this.#valueId], opened, 0);
    return isThere(entry) ? entry : undefined;
  }

  /** @internal */
  override async *parts(): AsyncGenerator<StateEntry, void, undefined> {
    const value = await this.value();
    if (value !== undefined) yield value;
  }

  /** @internal The log of its writers is not among the values. */
  protected override async sampledIds(): Promise<readonly Uint8Array[]> {
    return [this.#valueId];
  }

  /** @internal Itself, and the log of the changes of its writers with its entries. */
  override async belongings(): Promise<readonly Uint8Array[]> {
    const { rows } = this.scope;
    const log = await rows.index(rotationLogId(this.id));
    if (log === undefined) return [this.id];
    const children = await rows.children(log);
    return [this.id, log.id, ...(children instanceof Damage ? [] : children.ids())];
  }

  /** @internal */
  protected override split({ body }: Unsplit): readonly Split[] {
    return [{ key: undefined, rest: body, path: this.path }];
  }

  get #valueId(): Uint8Array {
    return this.scope.types.forms.isValueFirst ? cellValueId(this.id) : mapEntryId(this.id, VALUE_KEY);
  }
}
