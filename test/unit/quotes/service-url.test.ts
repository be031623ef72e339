/** Addresses of price and rate services: the fixed ones, or a server on this machine. Nothing else can be reached through a variable. */
import { expect, it } from "vitest";
import { loopbackUrl, serviceUrl } from "../../../src/quotes/fetch-json.ts";

const FIXED = "https://api.example.com";

/** The host that a request would go to. */
const hostAsked = (wanted: string): string => new URL(`${serviceUrl(FIXED, wanted)}/quote?symbol=A`).hostname;

it.each([
  ...["http://127.0.0.1:8787", "http://localhost/base/", "https://[::1]:1", "http://2130706433", " http://127.0.0.1 "],
])("an address of this machine is used: %s", (wanted) => {
  expect(["127.0.0.1", "localhost", "[::1]"]).toContain(hostAsked(wanted));
});

it.each([
  ...[
    "http://169.254.169.254/latest/meta-data",
    "http://10.0.0.1",
    "http://0.0.0.0",
    "http://[::ffff:7f00:1]",
    "//127.0.0.1",
  ],
  ...[
    "http://127.0.0.1.evil.example",
    "http://localhost.evil.example",
    "http://127.0.0.1@evil.example",
    "127.0.0.1:80",
  ],
  ...["http://evil.example#127.0.0.1", "http://evil.example/127.0.0.1", "http://evil.example\\@127.0.0.1", "", "  "],
  ...["file:///etc/passwd", "gopher://127.0.0.1", "data:application/json,[]", "javascript:alert(1)", "not an address"],
])("any other is ignored: %j", (wanted) => {
  expect(loopbackUrl(wanted)).toBeUndefined();
  expect(hostAsked(wanted)).toBe("api.example.com");
});

it("what follows an address cannot move it to another host", () => {
  for (const wanted of [
    "http://127.0.0.1/a?b=",
    "http://127.0.0.1#",
    "http://127.0.0.1:80/..//",
    "http://localhost\\",
  ]) {
    expect(["127.0.0.1", "localhost"]).toContain(hostAsked(wanted));
  }
});
