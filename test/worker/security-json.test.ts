/** Attacks by what is inside a JSON body: names of prototypes, depths, and characters that are none. */
import { afterEach, describe, expect as expectAfter, it } from "vitest";
import { answerOf } from "../support/workerd/answer.ts";
import { fetchAs } from "../support/workerd/fetch-as.ts";
import { somebody } from "../support/workerd/somebody.ts";

const ACTIONS = "/_framework/actions";
const RUN = "/_framework/runs/0b8d5f0e-3c55-4d8e-9a63-0d1f6f6f2c11";
const PERMISSION = `${RUN}/permissions/5f3c2f6e-3f0b-4a52-8a0b-7b9f8f7a1d22`;
const ID = "0b8d5f0e-3c55-4d8e-9a63-0d1f6f6f2c11";

const post = async (path: string, text: string, method = "POST") =>
  answerOf(
    await fetchAs(somebody().email, path, { method, body: text, headers: { "content-type": "application/json" } }),
  );

afterEach(() => {
  expectAfter(Object.keys(Object.prototype)).toEqual([]);
  expectAfter(Reflect.get({}, "polluted")).toBe(undefined);
});

const POLLUTION = '{"polluted":true,"quantity":"1","email":"ann@example.com"}';

describe("names that objects inherit", () => {
  it.for([
    [`${ACTIONS}/list-stocks`, ""],
    [`${ACTIONS}/get-stock`, `"id":"${ID}",`],
    [`${ACTIONS}/add-stock`, '"symbol":"AAPL",'],
    [`${ACTIONS}/update-stock`, `"id":"${ID}","set":{"notes":"n"},`],
    [`${ACTIONS}/delete-stock`, `"id":"${ID}",`],
    [`${ACTIONS}/view-screen`, ""],
    [`${ACTIONS}/set-navigation`, '"view":"stocks","path":"/stocks",'],
  ] as const)("are unknown fields of %s", async ([path, fields], { expect }) => {
    const refused = (name: string) => ({ status: 400, body: { error: `${name}: unknown field, leave it out` } });
    expect(await post(path, `{${fields}"__proto__":${POLLUTION}}`)).toEqual(refused("__proto__"));
    expect(await post(path, `{${fields}"\\u005f_proto__":${POLLUTION}}`)).toEqual(refused("__proto__"));
    expect(await post(path, `{${fields}"constructor":{"prototype":${POLLUTION}}}`)).toEqual(refused("constructor"));
    expect(await post(path, `{${fields}"toString":1}`)).toEqual(refused("toString"));
  });

  it.for([
    [`${ACTIONS}/add-stock`, `{"items":[{"symbol":"AAPL","__proto__":${POLLUTION}}]}`],
    [`${ACTIONS}/update-stock`, `{"id":"${ID}","set":{"notes":"n","__proto__":${POLLUTION}}}`],
    [`${ACTIONS}/set-navigation`, `{"view":"stocks","path":"/stocks","filters":{"__proto__":${POLLUTION}}}`],
  ] as const)("are refused further inside %s, too", async ([path, body], { expect }) => {
    expect(await post(path, body)).toMatchObject({ status: 400 });
  });

  it("are refused in a query", async ({ expect }) => {
    const response = await fetchAs(somebody().email, `${ACTIONS}/list-stocks?__proto__=1`);
    expect(await answerOf(response)).toMatchObject({ status: 400 });
  });

  it("are nothing where fields that nobody knows are passed over", async ({ expect }) => {
    const required = { status: 400, body: { error: "threadId and prompt are required." } };
    const turn = '{"__proto__":{"threadId":"t","prompt":"Hello"}}';
    expect(await post("/api/agent/turn", turn)).toEqual(required);
    expect(await post(PERMISSION, '{"__proto__":{"decision":"allow_once"}}')).toMatchObject({ status: 400 });
    expect(await post("/_framework/threads/t", '{"__proto__":{"title":"Taken"}}', "PATCH")).toMatchObject({
      status: 400,
    });
  });

  it("are stock names and tags like any other", async ({ expect }) => {
    const answer = await post(`${ACTIONS}/add-stock`, '{"symbol":"AAPL","name":"__proto__","tags":["constructor"]}');
    expect(answer).toMatchObject({ status: 200, body: { stock: { name: "__proto__", tags: ["constructor"] } } });
  });
});

describe("a body that is meant to break the parser", () => {
  const DEEP = 200_000;

  it.for([
    ["arrays 200,000 deep", "[".repeat(DEEP) + "]".repeat(DEEP)],
    ["objects 100,000 deep", `${'{"a":'.repeat(DEEP / 2)}1${"}".repeat(DEEP / 2)}`],
    ["tags 200,000 deep", `{"tags":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`],
    ["a number without end", `{"limit":${"9".repeat(100_000)}}`],
    ["an exponent out of range", '{"limit":1e999999}'],
    ["a byte order mark", "\uFEFF{]"],
    ["NaN", '{"limit":NaN}'],
    ["fifty thousand unknown fields", `{${Array.from({ length: 50_000 }, (_, nth) => `"f${nth}":1`).join()}}`],
  ] as const)("is 400: %s", async ([, body], { expect }) => {
    expect(await post(`${ACTIONS}/list-stocks`, body)).toMatchObject({ status: 400 });
  });

  it.for(["", '"idempotencyKey":"deep",'])(
    "leaves the other items of an addition as they are: {%s…}",
    async (key, { expect }) => {
      const body = `{${key}"items":[{"symbol":"AAPL"},${"[".repeat(DEEP)}${"]".repeat(DEEP)},{"symbol":"MSFT","tags":[[]]}]}`;
      const { status, body: answer } = await post(`${ACTIONS}/add-stock`, body);
      expect({ status, answer }).toMatchObject({
        status: 200,
        answer: {
          results: [
            { outcome: "created" },
            { outcome: "invalid" },
            { outcome: "invalid", error: expect.stringContaining("tags") },
          ],
        },
      });
    },
  );

  it("reports at most five problems at once, however many there are", async ({ expect }) => {
    const body = `{${Array.from({ length: 1_000 }, (_, nth) => `"${"f".repeat(500)}${nth}":1`).join()}}`;
    const { body: answer } = await post(`${ACTIONS}/list-stocks`, body);
    expect(JSON.stringify(answer).length).toBeLessThan(1_000);
  });
});

describe("characters that are none", () => {
  it.for([
    ["half of a pair", "\\ud800", 200, ["\ufffd"]],
    ["a zero", "a\\u0000b", 400, []],
    ["a line that turns round", "\\u202Eab", 200, ["\u202Eab"]],
    ["markup", "<img src=x onerror=alert(1)></script>", 200, ["<img src=x onerror=alert(1)></script>"]],
    ["SQL", "'); DROP TABLE stocks; --", 200, ["'); DROP TABLE stocks; --"]],
  ] as const)(
    "are text or 400 in notes, and no trouble to the list: %s",
    async ([, notes, status, stored], { expect }) => {
      const client = somebody();
      const init = { method: "POST", body: `{"symbol":"AAPL","notes":"${notes}"}` };
      expect(await client.request(`${ACTIONS}/add-stock`, init)).toMatchObject({ status });
      expect(await client.ask("GET", `${ACTIONS}/list-stocks`)).toMatchObject({
        status: 200,
        body: { items: stored.map((text) => ({ notes: text })) },
      });
    },
  );
});

it.for([
  ["PATCH", "/_framework/settings"],
  ["PUT", "/_framework/settings/quotes-key"],
  ["POST", "/_framework/push"],
  ["POST", `${RUN}/undo`],
  ["POST", `${ACTIONS}/add-stock`],
] as const)("a body that is no object is refused in one way: %s %s", async ([method, path], { expect }) => {
  const refused = { status: 400, body: { error: "body: send a JSON object." } };
  expect(await post(path, "[]", method)).toEqual(refused);
});
