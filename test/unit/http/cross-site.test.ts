/** Which state changes are another site's doing (api.md §1), as a request's headers say it. */
import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { AppEnv } from "../../../src/http/app-env.ts";
import { refuseCrossSite } from "../../../src/http/cross-site.ts";
import { renderError } from "../../../src/http/errors.ts";

const app = new Hono<AppEnv>();
app.post("/", refuseCrossSite, (c) => c.json({ ok: true }));
app.onError(renderError);

const post = async (headers: Record<string, string>, url = "http://localhost:8787/") => {
  const response = await app.request(url, { method: "POST", headers });
  return { status: response.status, body: await response.json() };
};

describe("a state change", () => {
  it.each<[string, Record<string, string>]>([
    ["no browser headers", {}],
    ["the same origin", { "sec-fetch-site": "same-origin" }],
    ["no site at all, as for a typed address", { "sec-fetch-site": "none" }],
    ["its own Origin", { origin: "http://localhost:8787", host: "localhost:8787" }],
    ["its own Origin and the same origin", { origin: "http://localhost:8787", "sec-fetch-site": "same-origin" }],
    ["an Origin without the scheme's usual port", { origin: "https://tally.test", host: "tally.test" }],
    ["an Origin of another scheme on the same host", { origin: "https://localhost:8787", host: "localhost:8787" }],
    ["the Host of the request and not of the URL", { origin: "https://tally.test", host: "tally.test" }],
  ])("passes with %s", async (_, headers) => {
    expect(await post(headers)).toEqual({ status: 200, body: { ok: true } });
  });

  it.each<[string, Record<string, string>]>([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["a sister domain", { "sec-fetch-site": "same-site" }],
    ["a value nobody knows", { "sec-fetch-site": "elsewhere" }],
    ["another Origin", { origin: "https://evil.test", host: "localhost:8787" }],
    ["another port", { origin: "http://localhost:9999", host: "localhost:8787" }],
    ["a subdomain", { origin: "https://a.tally.test", host: "tally.test" }],
    ["a host that only begins like it", { origin: "https://tally.test.evil.test", host: "tally.test" }],
    ["the opaque origin", { origin: "null", host: "localhost:8787" }],
    ["an Origin that cannot be read", { origin: "localhost", host: "localhost:8787" }],
    ["another Origin, though the site is called the same", { origin: "https://evil.test", "sec-fetch-site": "none" }],
    ["another site, though the Origin is ours", { origin: "http://localhost:8787", "sec-fetch-site": "cross-site" }],
  ])("is refused with %s", async (_, headers) => {
    expect(await post(headers)).toEqual({ status: 403, body: { error: "Cross-site requests are refused." } });
  });

  it("goes by the URL where there is no Host", async () => {
    expect((await post({ origin: "https://tally.test" }, "https://tally.test/")).status).toBe(200);
  });
});
