/** The members of a group in their order, of any number: only their ids are kept, and the rest is made when asked for. */
import { toHex } from "../bytes/hex.js";
import { ID_BYTES } from "../bytes/id-table.js";

/** The roles in the order of a list. */
const ROLES = ["Admin", "Member", "ReadOnly", "ReadOnlyTee", "RelayTee", "unknown"];

/** A member of a group; `through` has the group above whose row makes it a member of this open one. */
export interface AnyMember {
  readonly id: string;
  readonly role: string;
  readonly through?: string | undefined;
}

/** Members as they are read. */
export class MemberIds {
  #ids = new Uint8Array(64 * ID_BYTES);
  #roles = new Uint8Array(64);
  /** By number; of members with a row of their own there is none. */
  readonly #through = new Map<number, string>();
  /** By number; none where a member has no name. */
  readonly #names = new Map<number, string>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds a member. Those with a row of their own come in the order of their ids. */
  add(
    id: Uint8Array,
    { role, through, name }: Omit<AnyMember, "id"> & { readonly name: string | undefined },
  ): void {
    const at = this.#length++;
    if (at === this.#roles.length) {
      const [ids, roles] = [new Uint8Array(2 * this.#ids.length), new Uint8Array(2 * at)];
      ids.set(this.#ids);
      roles.set(this.#roles);
      [this.#ids, this.#roles] = [ids, roles];
    }
    this.#ids.set(id, at * ID_BYTES);
    this.#roles[at] = ROLES.indexOf(role);
    if (through !== undefined) this.#through.set(at, through);
    if (name !== undefined) this.#names.set(at, name);
  }

  /** The members: admins first, then by name, those without one last, by id. */
  *sorted(): Generator<AnyMember, void, undefined> {
    const named = [...this.#names]
      .map(([at, name]) => ({ name, ...this.#member(at) }))
      .sort((a, b) => (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1));
    for (const role of ROLES) {
      for (const { name: _, ...one } of named) if (one.role === role) yield one;
      yield* this.#unnamed(role);
    }
  }

  *#unnamed(name: string): Generator<AnyMember, void, undefined> {
    const role = ROLES.indexOf(name);
    const through = [...this.#through.keys()]
      .filter((at) => this.#roles[at] === role && !this.#names.has(at))
      .map((at) => this.#member(at))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    let next = 0;
    for (let at = 0; at < this.#length; at++) {
      if (this.#roles[at] !== role || this.#names.has(at) || this.#through.has(at)) continue;
      const member = this.#member(at);
      for (; next < through.length && (through[next] as AnyMember).id < member.id; next++)
        yield through[next] as AnyMember;
      yield member;
    }
    yield* through.slice(next);
  }

  #member(at: number): AnyMember {
    const through = this.#through.get(at);
    const role = ROLES[this.#roles[at] as number] as string;
    return { id: this.#id(at), role, ...(through !== undefined && { through }) };
  }

  #id(at: number): string {
    return toHex(this.#ids.subarray(at * ID_BYTES, (at + 1) * ID_BYTES));
  }
}
