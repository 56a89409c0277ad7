import { once } from "node:events";
import { invalidArgument } from "merostore/internal";
import { command, text, wholeNumber } from "merostore/internal/commands";
import { serveFiles } from "../index.js";
import { wordIn } from "./cloud.js";

/** Serves a folder that devices sync through, until Ctrl-C. */
export const serve = command({
  words: "serve <dir>",
  description: "serve a folder that devices sync through, over HTTP",
  options: {
    tokenFile: text("<file>", "the file with the token that devices must send: 16 or more characters"),
    host: text(
      "<name>",
      "the address to listen on; 127.0.0.1, which only this machine reaches, if not given",
    ),
    port: wholeNumber("<number>", "the port to listen on; a free one if not given"),
    origin: text(
      "<url>",
      "the site whose pages may sync too, such as https://example.org; none if not given",
    ),
  },
  help: `Examples:
  mkdir -p shared
  openssl rand -hex 32 > token
  merostore ledger serve shared --token-file token

The first line of the output is the URL for httpStore, with which programs give the folder to folderCloud.
The folder must exist; other devices may reach it as files at the same time. If devices sync it with a key, its files
are encrypted. The connection is not encrypted: serve other machines through a proxy with TLS. Ctrl-C ends the command
with status 0.`,

  async run(terminal, { dir }, { tokenFile, host, port, origin }) {
    const signal = terminal.untilStopped();
    await using server = await serveFiles(dir, { token: tokenIn(tokenFile), host, port, origin });
    await terminal.line(server.url);
    await terminal.flush();
    if (server.isExposed)
      terminal.remark("other machines can reach the address, and the connection is not encrypted");
    terminal.remark("serving until Ctrl-C");
    if (!signal.aborted) await once(signal, "abort");
    return 0;
  },
});

/** The token in a file, without white space around it. @throws MerostoreError INVALID_ARGUMENT */
function tokenIn(path: string | undefined): string {
  if (path === undefined) throw invalidArgument("give the token that devices must send: --token-file FILE");
  return wordIn(path, "--token-file");
}
