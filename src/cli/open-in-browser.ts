/** Opening an address in the user's browser. */
import { spawn } from "node:child_process";

/** The program that opens an address, and its arguments before it. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"], // what `start` of the shell does
};

/**
 * Opens an address in the browser, without a shell.
 *
 * @param failed is called with the reason if that does not work
 */
export function openInBrowser(address: string, failed: (why: string) => void): void {
  const [opener, ...before] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(opener, [...before, address], { stdio: "ignore", detached: true });
  child.on("error", (error: NodeJS.ErrnoException) =>
    failed(error.code === "ENOENT" ? `there is no ${opener}` : `${opener}: ${error.code ?? error.message}`),
  );
  child.on("exit", (status) => {
    if (status !== null && status !== 0) failed(`${opener} ended with status ${status}`);
  });
  child.unref();
}
