/** The action dispatcher: order of checks, methods, bodies (api.md §1 and §5). */
import { describe, expect, it } from "vitest";
import { ACTION_CONTRACTS } from "../../../src/contract/action.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

const LIST = "/_framework/actions/list-stocks";
const ADD = "/_framework/actions/add-stock";
const names = Object.entries(ACTION_CONTRACTS).map(([name, { kind }]) => ({ name, kind }));
const writes = names.filter(({ kind }) => kind === "write");

/** What a client sees of a refusal. */
const refusal = async (response: Response) => ({
  status: response.status,
  allow: response.headers.get("Allow"),
  body: await response.json(),
});

const post = (body: string | null, headers: Record<string, string> = { "Content-Type": "application/json" }) => ({
  method: "POST",
  body,
  headers,
});

it.each(names)("$name needs somebody signed in", async ({ name }) => {
  const response = await fetchAs(null, `/_framework/actions/${name}`, { method: "POST" });
  expect(await refusal(response)).toEqual({ status: 401, allow: null, body: { error: "Sign in to run the agent." } });
});

it.each(writes)("$name is refused by GET, before anybody is asked for", async ({ name }) => {
  const response = await fetchAs(null, `/_framework/actions/${name}`);
  expect(await refusal(response)).toEqual({ status: 405, allow: "POST", body: { error: "Method not allowed." } });
});

it.each(["PUT", "DELETE", "PATCH"])("a read is refused by %s", async (method) => {
  const response = await fetchAs(null, LIST, { method });
  expect(await refusal(response)).toEqual({ status: 405, allow: "GET, POST", body: { error: "Method not allowed." } });
});

it.each(["buy-stock", "List-Stocks", "constructor", "__proto__", "", "list-stocks/x", "navigate"])(
  "the action %j is an unknown route, also to nobody",
  async (name) => {
    const response = await fetchAs(null, `/_framework/actions/${name}`, { method: "POST" });
    expect(await refusal(response)).toEqual({ status: 404, allow: null, body: { error: "Not found." } });
  },
);

describe("a body", () => {
  const { email } = aPerson();

  it("of another media type is refused", async () => {
    const response = await fetchAs(email, ADD, post("symbol=A", { "Content-Type": "text/plain" }));
    expect(await refusal(response)).toMatchObject({ status: 415, body: { error: "Send JSON." } });
  });

  it("may name its character set", async () => {
    const response = await fetchAs(email, LIST, post("{}", { "Content-Type": "application/json; charset=utf-8" }));
    expect(response.status).toBe(200);
  });

  it("over 1 MB is refused", async () => {
    const response = await fetchAs(email, ADD, post(JSON.stringify({ symbol: "A", notes: "x".repeat(1_000_000) })));
    expect(await refusal(response)).toMatchObject({ status: 413, body: { error: "Request is too large." } });
  });

  it.each(["{", "nope", "{'a':1}"])("%j is no JSON", async (body) => {
    expect(await refusal(await fetchAs(email, ADD, post(body)))).toMatchObject({
      status: 400,
      body: { error: "body: send valid JSON." },
    });
  });

  it.each(["null", "[]", '"x"', "5", "true"])("%s is not an object", async (body) => {
    expect(await refusal(await fetchAs(email, LIST, post(body)))).toMatchObject({
      status: 400,
      body: { error: "body: send a JSON object." },
    });
  });

  it("is not needed where no field is", async () => {
    expect((await fetchAs(email, LIST, { method: "POST" })).status).toBe(200);
    expect((await refusal(await fetchAs(email, ADD, { method: "POST" }))).status).toBe(400);
  });

  it.each(['{"__proto__":{"limit":1}}', '{"constructor":{"prototype":{}}}'])("%s is refused by name", async (body) => {
    expect((await refusal(await fetchAs(email, LIST, post(body)))).status).toBe(400);
  });
});

it("another site's page cannot write", async () => {
  const { email } = aPerson();
  const headers = { "Content-Type": "application/json", Origin: "https://evil.example" };
  expect(await refusal(await fetchAs(email, ADD, post('{"symbol":"A"}', headers)))).toMatchObject({
    status: 403,
    body: { error: "Cross-site requests are refused." },
  });
});

it.each([
  ["import", "import"],
  ["agent", "screen"],
  ["", "screen"],
])("X-Updated-Via: %s makes a stock that was updated via %s", async (via, expected) => {
  const headers = { "Content-Type": "application/json", "X-Updated-Via": via };
  const response = await fetchAs(aPerson().email, ADD, post('{"symbol":"A"}', headers));
  expect(await response.json()).toMatchObject({ stock: { updatedVia: expected } });
});

it("answers are not to be stored by caches", async () => {
  expect((await fetchAs(aPerson().email, LIST)).headers.get("Cache-Control")).toBe("no-store");
});

it("the owner is in no answer", async () => {
  const ann = aPerson();
  const added = await ann.post("add-stock", { symbol: "AAPL" });
  const answers = [added, await ann.get("list-stocks"), await ann.get("get-stock", "?symbol=AAPL")];
  expect(JSON.stringify(answers)).not.toContain(ann.email);
});
