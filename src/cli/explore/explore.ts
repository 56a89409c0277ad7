/** The explorer: a page in the browser, and the server of its files. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { checkDatabase } from "../../disk/folder.js";
import { isHttpUrl } from "../../engines/index.js";
import { invalidArgument } from "../../errors.js";
import type { ExploredDatabase } from "../../explore/databases.js";
import { serveExplorer } from "../../explore/server.js";
import { command } from "../arguments/command.js";
import { kindOfLocation, shownLocation } from "../arguments/location.js";
import { masterKeyOf } from "../arguments/master-key.js";
import { flag, text, wholeNumber } from "../arguments/option-kinds.js";
import { keyFile } from "../arguments/options.js";
import { withNear } from "../database/database.js";
import { blobsOf, databaseFolder } from "../database/database-folder.js";
import { databaseNames } from "../sql/databases.js";
import { sqlSource } from "./sql.js";

const LAST_PORT = 65_535;

/** Serves the page and the files of databases, until Ctrl-C. */
export const explore = command({
  words: "explore <db> [more...]",
  usage: "[options] <db...>",
  description: "show the databases of one or several nodes in the browser",
  options: {
    blobs: text("<folder>", "the folder of the first database's blob files; found beside each database"),
    port: wholeNumber("<number>", "the port to listen on; a free one if not given"),
    host: text(
      "<name>",
      "the address to listen on; 127.0.0.1, which only this machine reaches, if not given",
    ),
    noOpen: flag("do not open the browser"),
    keyFile,
  },
  help: `The first line of the output is the address of the page. On a terminal the browser opens it. The page reads the files
of the databases, also while their nodes run; all work is done in the browser, and nothing is written. Two databases are
compared; of three or more, the page begins with what each has of every context. Ctrl-C ends the command with status 0.

The address ends with a token, which is new each time. Without it nobody can read the files. The program that opens the
browser gets the address as an argument, which other users of this machine may see: use --no-open there.
With --host, everyone who can reach the address and knows the token can read all files of the databases, private keys
included. So can everyone who listens to the network: the connection is not encrypted. A master key is not given there.

The page decrypts the values of an encrypted database. It gets the key of --key-file, or asks for it; the key stays in
memory.

Examples:
  merostore explore node/data
  merostore explore node-a/data node-b/data
  merostore explore node-a/data node-b/data node-c/data
  merostore explore node/data --blobs node/blobs --no-open
  merostore explore encrypted/data --key-file node.key`,

  async run(terminal, { db, more }, { blobs, port, host, noOpen, keyFile }) {
    const signal = terminal.untilStopped();
    if (port !== undefined && port > LAST_PORT)
      throw invalidArgument(`a port is a number from 0 to ${LAST_PORT}`);
    if (host === "") throw invalidArgument("the host must not be empty");
    if (blobs !== undefined && kindOfLocation(blobs) !== "folder")
      throw invalidArgument(`${shownLocation(blobs)} is not a folder of blob files`);
    const databases = explored([db, ...more], blobs).map((database) => ({
      ...database,
      key: masterKeyOf(keyFile),
    }));
    const sql = sqlSource(terminal, databases, { keyFile });
    const server = await serveExplorer(databases, { host, port, sql });
    try {
      if (server.isExposed && databases.some(({ key }) => key !== undefined))
        throw invalidArgument(
          "other machines can reach the address, and the connection is not encrypted: the master key would be sent over the network. Leave out --host, or the key",
        );
      await terminal.line(server.address);
      await terminal.flush();
      if (!server.isPageBuilt) terminal.remark("the page was not built: npm run build");
      if (server.isExposed)
        terminal.remark(
          `other machines can reach the address. Everyone who knows the token can read all files of the database${more.length === 0 ? "" : "s"}, private keys included; the connection is not encrypted`,
        );
      terminal.remark("serving until Ctrl-C");
      if (terminal.interactive && !noOpen)
        openInBrowser(server.address, (why) =>
          terminal.remark(`the browser cannot be opened (${why}): open the address yourself`),
        );
      if (!signal.aborted) await once(signal, "abort");
    } finally {
      await server.close();
      await sql.close();
    }
    return 0;
  },
});

/** The databases of the typed paths. @throws MerostoreError unless each is the folder of one */
function explored(paths: readonly string[], blobs: string | undefined): readonly ExploredDatabase[] {
  const names = databaseNames(paths);
  return paths.map((path, at) => {
    checkLocation(path);
    const folder = databaseFolder(path);
    try {
      checkDatabase(folder);
    } catch (error) {
      throw withNear(error, path);
    }
    const given = at === 0 ? blobs : undefined;
    return { name: names[at] as string, path, folder, blobs: given ?? blobsOf(path) };
  });
}

function checkLocation(path: string): void {
  if (kindOfLocation(path) !== "server") return;
  throw invalidArgument(
    isHttpUrl(path)
      ? `explore serves folders: open the page as one file, dist/explorer/explorer.html of the package, and enter ${shownLocation(path)} there`
      : `explore serves the files of a folder: export ${shownLocation(path)}, import that into a folder, and explore this`,
  );
}

/** The program that opens an address, and its arguments before it. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"], // as the shell's `start` does
};

/**
 * Opens an address in the browser, without a shell.
 *
 * @param failed called with the reason if this fails
 */
function openInBrowser(address: string, failed: (why: string) => void): void {
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
