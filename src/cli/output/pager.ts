/** The program that shows long output page by page on a terminal. */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Writable } from "node:stream";

/** A pager that runs. */
export interface Pager {
  /** Receives the output. */
  readonly input: Writable;
  /** Resolves when the user has left the pager. */
  readonly ended: Promise<void>;
  /** Ends the pager. */
  end(): void;
}

/** Starts a pager. */
export type StartPager = () => Pager;

/**
 * The start of the user's pager, chosen as git does: MEROSTORE_PAGER, PAGER, or an installed `less` or `more`.
 * Undefined without a pager, or if the user wants none: an empty text or `cat`.
 */
export function pagerOf(): StartPager | undefined {
  const { env } = process;
  if (env.TERM === "dumb") return undefined;
  const chosen = env.MEROSTORE_PAGER ?? env.PAGER ?? ["less", "more"].find(isInstalled);
  if (chosen === undefined || chosen.trim() === "" || chosen.trim() === "cat") return undefined;
  return () => {
    // F: leave at once if everything fits; R: show colours; X: leave the output on the screen.
    const child = spawn(chosen, {
      shell: true,
      stdio: ["pipe", "inherit", "inherit"],
      env: { LESS: "FRX", LV: "-c", ...env },
    });
    const ended = new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.once("error", () => resolve());
    });
    return { input: child.stdin, ended, end: () => void child.kill() };
  };
}

function isInstalled(name: string): boolean {
  const { PATH = "" } = process.env;
  return PATH.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}
