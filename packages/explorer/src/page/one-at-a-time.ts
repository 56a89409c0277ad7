/** Work that runs one at a time. A request while it runs makes it run once more. */

/**
 * Returns a function that requests the work.
 *
 * @param work must not fail
 * @param pause runs before each run: requests during the pause share that run
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
