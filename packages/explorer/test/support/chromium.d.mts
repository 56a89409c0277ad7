import type { Browser } from "puppeteer-core";

/** The program: `CHROMIUM_PATH`, or the first on PATH; undefined if absent. */
export function findChromium(): string | undefined;

/** Starts it with a profile in a folder of its own. */
export function launch(executablePath: string, userDataDir: string): Promise<Browser>;
