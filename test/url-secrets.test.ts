/** Texts with URLs, as errors have them, are shown without what may be secret. */
import { expect, it } from "vitest";
import { withoutSecretsOfUrls } from "../src/url-secrets.js";

it.each([
  ["the file http://nutzer:lo sung@h/x?sig=1 is missing", "the file http://h/x is missing"],
  ["the folder http:/nutzer:losung@h/x?sig=1 is missing", "the folder http:/h/x is missing"],
  ["/home/https:/nutzer:losung@h/x?sig=1", "/home/https:/h/x"],
  ["http://127.0.0.1:80 and a@b, http://h:80, c@d", "http://127.0.0.1:80 and a@b, http://h:80, c@d"],
  ["the folder c:/nutzer:x@y?z is missing", "the folder c:/nutzer:x@y?z is missing"],
])("%s", (text, shown) => {
  expect(withoutSecretsOfUrls(text)).toBe(shown);
});
