// The events that shim.c writes down.

const TYPES = [
  "",
  ...[
    "open",
    "write",
    "truncate",
    "sync",
    "rename",
    "unlink",
    "mkdir",
    "rmdir",
    "link",
    "ack",
    "truncatePath",
  ],
];
const HEADER = 25;

/**
 * @param bytes of the shim's file
 * @returns events in their order: { type, file, number, a, b }. `file` names a descriptor of a process; `number` is the
 *   offset of a write, the size of a truncation, or 1 for an open that truncates; `a` and `b` are paths, `a` of a write
 *   and an acknowledgement its bytes
 */
export function readEvents(bytes) {
  const events = [];
  for (let at = 0; at < bytes.length; ) {
    const type = TYPES[bytes[at]];
    const file = `${bytes.readUInt32LE(at + 1)}:${bytes.readUInt32LE(at + 5)}`;
    const number = Number(bytes.readBigUInt64LE(at + 9));
    const [aSize, bSize] = [bytes.readUInt32LE(at + 17), bytes.readUInt32LE(at + 21)];
    const start = at + HEADER;
    const [a, b] = [
      bytes.subarray(start, start + aSize),
      bytes.subarray(start + aSize, start + aSize + bSize),
    ];
    const isData = type === "write" || type === "ack";
    events.push({ type, file, number, a: isData ? a : a.toString(), b: b.toString() });
    at = start + aSize + bSize;
  }
  return events;
}
