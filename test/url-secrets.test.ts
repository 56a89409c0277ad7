/** Texts with URLs, as errors have them, are shown without secrets. */
import { expect, it } from "vitest";
import { withoutSecrets, withoutSecretsOfUrls } from "../src/url-secrets.js";

it.each([
  ["the file http://nutzer:lo sung@h/x?sig=1 is missing", "the file http://h/x is missing"],
  ["the folder http:/nutzer:losung@h/x?sig=1 is missing", "the folder http:/h/x is missing"],
  ["/home/https:/nutzer:losung@h/x?sig=1", "/home/https:/h/x"],
  ["http://127.0.0.1:80 and a@b, http://h:80, c@d", "http://127.0.0.1:80 and a@b, http://h:80, c@d"],
  ["the folder c:/nutzer:x@y?z is missing", "the folder c:/nutzer:x@y?z is missing"],
])("%s", (text, shown) => {
  expect(withoutSecretsOfUrls(text)).toBe(shown);
});

/** A malformed URL has secrets too; a path has none. */
it.each([
  ["//u:SECRET@h/x?sig=SECRET", "//h/x"],
  ["://u:SECRET@h", "://h"],
  ["http://u:SECRET@", "http://"],
  ["http://u:SECRET@h ost/x", "http://h ost/x"],
  ["http:u:SECRET@h/x?sig=SECRET", "http:h/x"],
  ["http//u:SECRET@h/x?sig=SECRET", "http//h/x"],
  ["http:///u:SECRET@h/x?sig=SECRET", "http:///h/x"],
  ["http:\\\\u:SECRET@h", "http:\\\\h"],
  [" http://u:SECRET@h/x?sig=SECRET", " http://h/x"],
  ["ht tp://u:SECRET@h/x?sig=SECRET", "ht tp://h/x"],
  ["http ://u:SECRET@h", "http ://h"],
  ["postgres:u:SECRET@h/d", "postgres:h/d"],
  ["u:SECRET@h:80/x?sig=SECRET", "h:80/x"],
  ["//h/x?sig=SECRET", "//h/x"],
  ["example.org/x?sig=SECRET", "example.org/x"],
  ["postgres//h/d?node=a", "postgres//h/d?node=a"],
  ["/data/u:x@h/db", "/data/u:x@h/db"],
  ["C:/u:x@h", "C:/u:x@h"],
  ["C:\\u:x@h", "C:\\u:x@h"],
  ["//server/share@x/db", "//server/share@x/db"],
  ["./node.x/db?x=1", "./node.x/db?x=1"],
  ["node/db?x=1#a@b", "node/db?x=1#a@b"],
])("%s, alone and in a sentence", (url, shown) => {
  expect(withoutSecrets(url)).toBe(shown);
  expect(withoutSecretsOfUrls(`the folder "${url}" is missing`)).toBe(`the folder "${shown}" is missing`);
});

it("takes a time that grows with the length of the text only", () => {
  for (const part of [":", "/", "a:", "//", "a.", '"//a:', "x@", "?a="])
    expect(withoutSecretsOfUrls(part.repeat(100_000)).length).toBeGreaterThan(0);
});
