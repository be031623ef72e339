/** Which requests the dev command's listener passes on, by what was sent alone. */
import { describe, expect, it } from "vitest";
import { refuseRequest } from "../../../src/cli/front/front-request.ts";
import { passedHeaders } from "../../../src/cli/front/passed-headers.ts";

const ask = (url: string, ...hosts: readonly string[]) =>
  refuseRequest({ url, rawHeaders: ["Accept", "*/*", ...hosts.flatMap((host) => ["Host", host])] }, 8787)?.status;

describe("a request", () => {
  it.each(["localhost:8787", "127.0.0.1:8787", "[::1]:8787", "LocalHost:8787", "localhost", "127.0.0.1:9000"])(
    "to %s goes on",
    (host) => {
      expect(ask("/_framework/session", host)).toBeUndefined();
    },
  );

  it.each([
    ["rebound.test:8787"],
    ["rebound.test"],
    ["localhost.rebound.test:8787"],
    ["localhost:"],
    ["localhost:8787@rebound.test"],
    ["127.0.0.1.rebound.test"],
    ["127.0.0.1.:8787"],
    ["localhost.:8787"],
    ["user@localhost:8787"],
    ["localhost:8787, rebound.test"],
    [""],
    [],
    ["localhost:8787", "rebound.test:8787"],
    ["localhost:8787", "localhost:8787"],
    // Wrangler's proxy answers 500 to a port that cannot be.
    ["localhost:99999"],
    ["[::1]:65536"],
  ])("to host %j and %j is refused", (...hosts) => {
    expect(ask("/_framework/session", ...hosts)).toBe(403);
  });

  it.each([
    ...["/cdn-cgi/explorer/api", "/cdn-cgi", "/CDN-CGI/local/scheduled", "/x/../cdn-cgi/local/email", "/./cdn-cgi/x?y"],
    ...["/\\cdn-cgi/x".replace("/\\", "\\").replace("\\", "/x/..\\"), "/__cf_local/stream/x", "/%2e/cdn-cgi/x"],
  ])("for %s, which wrangler would answer, finds nothing", (url) => {
    expect(ask(url, "localhost:8787")).toBe(404);
  });

  it.each(["http://rebound.test/_framework/session", "*", "", "localhost:8787"])(
    "for the target %j is refused",
    (url) => {
      expect(ask(url, "localhost:8787")).toBe(400);
    },
  );

  it.each(["gzip, chunked", "xchunked", "identity"])("with a body sent as %j is refused", (sent) => {
    const rawHeaders = ["Host", "localhost:8787", "Transfer-Encoding", sent];
    expect(refuseRequest({ url: "/api/agent/turn", rawHeaders }, 8787)?.status).toBe(400);
    expect(refuseRequest({ url: "/", rawHeaders: [...rawHeaders.slice(0, 3), "Chunked"] }, 8787)).toBeUndefined();
  });

  it.each(["/", "/stocks?q=cdn-cgi", "/cdn-cginot", "//rebound.test/x"])("for %s goes on", (url) => {
    expect(ask(url, "localhost:8787")).toBeUndefined();
  });
});

it("goes on with its headers as they came, but wrangler's own, those of one connection, and another's secret", () => {
  const sent = [
    ...["Host", "localhost:8787", "MF-Original-URL", "http://rebound.test/", "mf-op-secret", "x"],
    ...["Cookie", "a=1", "cookie", "b=2", "Connection", "keep-alive", "Expect", "100-continue"],
    ...["Tally-Front", "guessed", "X-Empty", ""],
  ];
  expect(passedHeaders(sent, "s3cret")).toEqual([
    ...["Host", "localhost:8787", "Cookie", "a=1", "cookie", "b=2", "X-Empty", "", "tally-front", "s3cret"],
  ]);
});
