/** What every answer tells a browser, whatever its status. Files have theirs from `public/_headers`: `e2e/screen/edge.test.ts`. */
import { describe, inject, it } from "vitest";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const ANN = `ann-${crypto.randomUUID()}@example.com`;
const RUN = "/_framework/runs/0b8d5f0e-3c55-4d8e-9a63-0d1f6f6f2c11";
const CROSS_SITE = { headers: { origin: "https://evil.test" } };

const NAMES = [
  ...["cache-control", "content-security-policy", "cross-origin-resource-policy"],
  ...["referrer-policy", "strict-transport-security", "x-content-type-options"],
] as const;

const headersOf = ({ headers }: Response) => Object.fromEntries(NAMES.map((name) => [name, headers.get(name)]));

const OF_DATA = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=31536000",
  "x-content-type-options": "nosniff",
} as const;

it.for(["/_framework/session", "/_framework/health", "/t/a"])(
  "is refused unencrypted: %s",
  async (path, { expect }) => {
    const answer = await fetchAs(null, path, {}, "http://tally.test");
    expect(answer.status).toBe(403);
    expect(await answer.json()).toEqual({ error: "Open this address with https." });
    expect(answer.headers.get("set-cookie")).toBeNull();
  },
);

describe("an answer that is data", () => {
  it.for([
    ["200", ANN, "GET", "/_framework/session", {}],
    ["200 of an action", ANN, "GET", "/_framework/actions/list-stocks", {}],
    ["200 to nobody", null, "GET", "/_framework/health", {}],
    ["400", ANN, "GET", `${RUN}/events?after=x`, {}],
    ["401", null, "GET", "/_framework/session", {}],
    ["403", ANN, "POST", `${RUN}/abort`, CROSS_SITE],
    ["404 of an id", ANN, "GET", RUN, {}],
    ["404 of no route", ANN, "GET", "/_framework/nowhere", {}],
    ["405", ANN, "PUT", RUN, {}],
    ["413", ANN, "POST", `${RUN}/abort`, { body: "x".repeat(1_100_000) }],
  ] as const)(
    "cannot be kept, run, framed or taken by another site: %s",
    async ([, who, method, path, init], { expect }) => {
      expect(headersOf(await fetchAs(who, path, { method, ...init }))).toEqual(OF_DATA);
    },
  );

  it("lets no other origin read it, whatever it asks", async ({ expect }) => {
    const headers = { origin: "https://evil.test", "access-control-request-method": "POST" };
    const responses = [
      await fetchAs(ANN, "/_framework/session", { headers }),
      await fetchAs(ANN, "/api/agent/turn", { method: "OPTIONS", headers }),
    ];
    const names = responses.flatMap((response) => [...response.headers.keys()]);
    expect(responses.map(({ status }) => status)).toEqual([200, 405]);
    expect(names.filter((name) => name.startsWith("access-control-"))).toEqual([]);
  });

  it("says nothing of HTTPS on loopback, which has none", async ({ expect }) => {
    const response = await somebody().request("/_framework/session");
    expect(response.headers.get("strict-transport-security")).toBe(null);
  });
});

it("an event stream has the same, but for its own caching (api.md §3)", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
  const client = somebody();
  const { events } = await client.startTurn("t", model.prompt("Hello"));
  const response = await fetchAs(client.email, events);
  await response.text();
  expect(headersOf(response)).toEqual({ ...OF_DATA, "cache-control": "no-cache, no-transform" });
});
