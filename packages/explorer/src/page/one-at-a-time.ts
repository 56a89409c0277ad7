/** Work that runs one at a time. Asked for while it runs, it runs once more. */

/**
 * Returns what asks for the work.
 *
 * @param work must not fail
 * @param pause runs before each run: what is asked for until then is part of that run
 */
export function oneAtATime(
  work: () => Promise<void>,
  pause: () => Promise<void> = async () => undefined,
): () => void {
  let isAsked = false;
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isAsked) {
      await pause();
      isAsked = false;
      await work();
    }
    isRunning = false;
  };
  return () => {
    isAsked = true;
    if (!isRunning) void run();
  };
}

/** Waits for some milliseconds. */
export function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
