// A folder on a disk with a volatile cache: what it holds, what of it is durable, and what a power cut may leave.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A sector is on the disk or not; a page of the system's cache has eight. */
const SECTOR = 512;

/** A file: its durable bytes, and the writes and truncations that were not synced. */
class File {
  bytes = Buffer.alloc(0);
  pending = [];

  /** Makes all durable. */
  sync() {
    for (const change of this.pending) this.bytes = applied(this.bytes, change);
    this.pending = [];
  }

  /** The disk after a power cut: each sector as it was after one of the writes, and one of the sizes in between. */
  cut(random, most) {
    const { pending } = this;
    if (pending.length === 0) return this.bytes;
    const chosen = most === 0 || most === 1 ? most : random();
    const sizes = [this.bytes.length];
    const versions = new Map();
    for (const change of pending) {
      const last = sizes.at(-1);
      sizes.push(
        change.data === undefined ? change.size : Math.max(last, change.offset + change.data.length),
      );
      for (
        let at = first(change);
        at < (change.data === undefined ? 0 : change.offset + change.data.length);
        at += SECTOR
      )
        versions.set(at, [...(versions.get(at) ?? []), change]);
    }
    const kept =
      sizes[chosen === 1 ? sizes.length - 1 : chosen === 0 ? 0 : Math.floor(random() * sizes.length)];
    const result = Buffer.alloc(kept);
    this.bytes.copy(result, 0, 0, kept);
    for (const [sector, changes] of versions) {
      const number =
        chosen === 1 ? changes.length : random() < chosen ? Math.floor(random() * changes.length) + 1 : 0;
      for (const { offset, data } of changes.slice(0, number)) {
        const from = Math.max(sector, offset);
        const to = Math.min(sector + SECTOR, offset + data.length, kept);
        if (to > from) data.copy(result, from, from - offset, to - offset);
      }
    }
    return result;
  }
}

function first({ offset = 0 }) {
  return offset - (offset % SECTOR);
}

function applied(bytes, { offset, data, size }) {
  if (data === undefined) {
    const result = Buffer.alloc(size);
    bytes.copy(result, 0, 0, size);
    return result;
  }
  const end = offset + data.length;
  const result = end > bytes.length ? Buffer.alloc(end) : bytes;
  if (result !== bytes) bytes.copy(result);
  data.copy(result, offset);
  return result;
}

/** A folder: its names now, those that are durable, and the changes of names that were not synced. */
class Folder {
  now = new Map();
  durable = new Map();
  pending = [];

  /** A change of names is atomic, also between folders: it is durable when one of them is synced. */
  sync(count = this.pending.length) {
    for (const change of this.pending.splice(0, count)) commit(change, (folder) => folder.durable);
  }
}

function commit(change, namesOf) {
  if (change.done) return;
  change.done = true;
  for (const { folder, name, node } of change.names) {
    if (node === undefined) namesOf(folder).delete(name);
    else namesOf(folder).set(name, node);
  }
}

export class Disk {
  #root;
  #top;
  #open = new Map();
  #count = 0;
  #namesWithFiles;

  /**
   * @param path a folder that exists; what it holds is durable
   * @param namesWithFiles whether the sync of a new file makes its name durable, as on ext4, XFS, Btrfs and APFS: LevelDB
   *   does not sync the folder of its tables
   */
  constructor(path, namesWithFiles = false) {
    this.#root = path;
    this.#namesWithFiles = namesWithFiles;
    this.#top = loaded(path);
  }

  /** Follows an event of the program. */
  apply({ type, file, number, a, b }) {
    if (type === "open") this.#opened(file, a, number === 1);
    else if (type === "write") this.#open.get(file).pending.push({ offset: number, data: a });
    else if (type === "truncate") this.#open.get(file).pending.push({ size: number });
    else if (type === "truncatePath") this.#at(a)?.pending.push({ size: number });
    else if (type === "sync") this.#synced(this.#open.get(file));
    else if (type === "mkdir") this.#change([{ path: a, node: new Folder() }]);
    else if (type === "unlink" || type === "rmdir") this.#change([{ path: a }]);
    else if (type === "rename") this.#moved(a, b);
    else if (type === "link") this.#change([{ path: b, node: this.#at(a) }]);
  }

  /**
   * Writes what a power cut now may leave into an empty folder. Names that were not synced came to the disk in the order
   * of the changes up to some moment, as with every file system that has a journal; each folder has its own moment.
   *
   * @param random returns numbers in [0, 1)
   */
  cut(target, random) {
    const kind = random();
    const most = kind < 0.15 ? 0 : kind < 0.3 ? 1 : 0.5;
    const names = new Map();
    const namesOf = (folder) => {
      if (!names.has(folder)) names.set(folder, new Map(folder.durable));
      return names.get(folder);
    };
    const changes = [];
    for (const folder of this.#folders()) {
      const { pending } = folder;
      const kept = most === 0.5 ? Math.floor(random() * (pending.length + 1)) : most * pending.length;
      changes.push(...pending.slice(0, kept));
    }
    for (const change of [...new Set(changes)].sort((x, y) => x.number - y.number))
      commit({ ...change }, namesOf);
    write(target, this.#top, namesOf, (file) => file.cut(random, most));
  }

  /** Every folder that is there, or was and may be again. */
  #folders() {
    const found = new Set([this.#top]);
    for (const folder of found) {
      const nodes = [...folder.now.values(), ...folder.durable.values()];
      for (const { names } of folder.pending) nodes.push(...names.map(({ node }) => node));
      for (const node of nodes) if (node instanceof Folder) found.add(node);
    }
    return found;
  }

  #synced(node) {
    node.sync();
    if (!this.#namesWithFiles || node instanceof Folder) return;
    for (const folder of this.#folders()) {
      const last = folder.pending.findLastIndex(({ names }) => names.some((change) => change.node === node));
      folder.sync(last + 1);
    }
  }

  #opened(file, path, truncates) {
    let node = this.#at(path);
    if (node === undefined) {
      node = new File();
      this.#change([{ path, node }]);
    } else if (truncates) node.pending.push({ size: 0 });
    this.#open.set(file, node);
  }

  #moved(from, to) {
    const node = this.#at(from);
    if (node !== undefined) this.#change([{ path: from }, { path: to, node }]);
  }

  #change(paths) {
    const names = paths.flatMap(({ path, node }) => {
      const folder = this.#at(dirname(path));
      return folder === undefined ? [] : [{ folder, name: path.slice(dirname(path).length + 1), node }];
    });
    const change = { number: this.#count++, names, done: false };
    for (const { folder, name, node } of names) {
      if (node === undefined) folder.now.delete(name);
      else folder.now.set(name, node);
      folder.pending.push(change);
    }
  }

  #at(path) {
    if (path === this.#root) return this.#top;
    const parent = this.#at(dirname(path));
    return parent?.now.get(path.slice(dirname(path).length + 1));
  }
}

function loaded(path) {
  const folder = new Folder();
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const node = entry.isDirectory() ? loaded(join(path, entry.name)) : new File();
    if (node instanceof File) node.bytes = readFileSync(join(path, entry.name));
    folder.now.set(entry.name, node);
    folder.durable.set(entry.name, node);
  }
  return folder;
}

function write(path, folder, namesOf, bytesOf) {
  mkdirSync(path, { recursive: true });
  for (const [name, node] of namesOf(folder)) {
    if (node instanceof Folder) write(join(path, name), node, namesOf, bytesOf);
    else writeFileSync(join(path, name), bytesOf(node));
  }
}
