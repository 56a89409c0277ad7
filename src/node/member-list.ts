/**
 * The members of a group in order, for any number of members. Ids, roles and names are kept; the rest is made on
 * request.
 */
import { grown } from "../bytes/bytes.js";
import { toHex } from "../bytes/hex.js";
import { ID_BYTES } from "../bytes/id-table.js";
import { sorted } from "../collections/sort.js";

/** The roles in the order of a list. Others come after them. */
const ROLES = ["Admin", "Member", "ReadOnly", "ReadOnlyTee", "RelayTee", "unknown"];

/**
 * The number of ids in a piece of memory. A growing piece would exist twice for a moment, and long pieces leave gaps.
 */
const PIECE = 1024;

/** A member of a group. `through` is the group above this open group whose row makes it a member. */
export interface AnyMember {
  readonly id: string;
  readonly role: string;
  readonly through?: string | undefined;
}

/** Members as they are read. */
export class MemberIds {
  readonly #ids: Uint8Array[] = [];
  #roles = new Uint8Array(64);
  /** By number; absent for members with a row of their own. */
  readonly #through = new Map<number, string>();
  /** By number; absent for members without a name. */
  readonly #names = new Map<number, string>();
  /** The roles by number. */
  readonly #allRoles = [...ROLES];
  /** The numbers of the members with a name, in their order. */
  #named: readonly number[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds a member. Members with a row of their own come in the order of their ids. */
  add(
    id: Uint8Array,
    { role, through, name }: Omit<AnyMember, "id"> & { readonly name: string | undefined },
  ): void {
    const at = this.#length++;
    if (at === this.#roles.length) this.#roles = grown(this.#roles, new Uint8Array(2 * at));
    if (at % PIECE === 0) this.#ids.push(new Uint8Array(PIECE * ID_BYTES));
    this.#ids.at(-1)?.set(id, (at % PIECE) * ID_BYTES);
    this.#roles[at] = this.#numberOf(role);
    if (through !== undefined) this.#through.set(at, through);
    if (name !== undefined) this.#names.set(at, name);
  }

  /** Brings those with a name into order, once all are added. */
  async sort(): Promise<void> {
    this.#named = await sorted([...this.#names.keys()], (a, b) => {
      const [name, other] = [this.#names.get(a) as string, this.#names.get(b) as string];
      return name === other ? (this.#id(a) < this.#id(b) ? -1 : 1) : name < other ? -1 : 1;
    });
  }

  /** The members, sorted: admins first, then by name; members without a name come last, by id. */
  *sorted(): Generator<AnyMember, void, undefined> {
    for (const role of this.#allRoles.keys()) {
      for (const at of this.#named) if (this.#roles[at] === role) yield this.#member(at);
      yield* this.#unnamed(role);
    }
  }

  /** The number of a role. */
  #numberOf(role: string): number {
    const known = this.#allRoles.indexOf(role);
    return known < 0 ? this.#allRoles.push(role) - 1 : known;
  }

  *#unnamed(role: number): Generator<AnyMember, void, undefined> {
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
    const role = this.#allRoles[this.#roles[at] as number] as string;
    return { id: this.#id(at), role, ...(through !== undefined && { through }) };
  }

  #id(at: number): string {
    const start = (at % PIECE) * ID_BYTES;
    return toHex((this.#ids[Math.floor(at / PIECE)] as Uint8Array).subarray(start, start + ID_BYTES));
  }
}
