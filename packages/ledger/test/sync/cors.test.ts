/** Pages of a site that a server allows, and of all others. */
import { afterEach, expect, it } from "vitest";
import { cleanUpAfterEach, temporaryFolder } from "../../../../test/engines/temporary.js";
import { rejection } from "../../../../test/support/rejection.js";
import { type FileServer, serveFiles } from "../../src/index.js";

const TOKEN = "made-up-token-0123456789";
const SITE = "https://list.example";
let server: FileServer | undefined;
cleanUpAfterEach();
afterEach(() => server?.close());

async function asked(allowed: string | undefined, origin: string, method: string, token?: string) {
  server = await serveFiles(temporaryFolder(), { token: TOKEN, origin: allowed });
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { status, headers } = await fetch(server.url, { method, headers: { origin, ...authorization } });
  return [status, headers.get("access-control-allow-origin"), headers.get("access-control-allow-headers")];
}

it("pages of no site may use a server unless it allows one", async () => {
  expect(await asked(undefined, SITE, "OPTIONS")).toEqual([401, null, null]);
  expect(await asked(undefined, SITE, "GET", TOKEN)).toEqual([200, null, null]);
});

it("pages of the allowed site need the token", async () => {
  expect(await asked(SITE, SITE, "OPTIONS")).toEqual([204, SITE, "authorization, if-none-match, range"]);
  expect(await asked(SITE, SITE, "GET", TOKEN)).toEqual([200, SITE, null]);
  expect(await asked(SITE, SITE, "GET", "another-token-0123456789")).toEqual([401, SITE, null]);
});

it.each(["https://other.example", "http://list.example", "https://list.example.org", "null"])(
  "pages of %s may not use a server of another site",
  async (origin) => {
    expect(await asked(SITE, origin, "OPTIONS")).toEqual([401, null, null]);
    expect(await asked(SITE, origin, "GET", TOKEN)).toEqual([200, null, null]);
  },
);

it.each(["*", "list.example", "https://list.example/", "https://list.example/page", ""])(
  "%j is the origin of no site",
  async (origin) => {
    const error = await rejection(
      serveFiles(temporaryFolder(), { token: TOKEN, origin }),
      "INVALID_ARGUMENT",
    );
    expect(error.message).toContain("the origin of a site, such as https://example.org");
  },
);
