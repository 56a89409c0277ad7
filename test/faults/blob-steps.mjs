// The contents of the blobs that a writer adds, step by step.
const MIB = 1024 * 1024;

/** A blob of two or three chunks; the first is the same in all of them. */
export async function* contentOf(number) {
  yield Buffer.alloc(MIB, "shared");
  for (let chunk = 0; chunk < 1 + (number % 2); chunk++)
    yield Buffer.alloc(chunk === 1 ? 1000 : MIB, `step ${number} chunk ${chunk} `);
}
