/** The Models API as the vendor's own client reads it, and as tests bend it. */
import Anthropic from "@anthropic-ai/sdk";
import type { BetaModelInfo } from "@anthropic-ai/sdk/resources/beta/models";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MessagesApiServer, startMessagesApiServer } from "../../../support/messages-api-server.ts";
import { KNOWN_MODELS } from "../../../support/model-server/model-catalog.ts";
import { scriptModels } from "../../../support/scripted-model.ts";
import { vendorClient } from "../../../support/vendor-talk.ts";

let server: MessagesApiServer;
beforeAll(async () => {
  server = await startMessagesApiServer();
});
afterAll(() => server.close());

const BETAS = ["compact-2026-09-04"];
/** All items of all pages. */
const every = async <Item>(pages: AsyncIterable<Item>): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
};
const all = (credential?: string): Promise<BetaModelInfo[]> =>
  every(vendorClient(server.url, credential).beta.models.list({ betas: BETAS }));

/** A credential of this test's own, and the Models API behind it. */
const ownModels = () => {
  const credential = `key/${crypto.randomUUID()}`;
  return { credential, models: scriptModels(server.url, credential), client: vendorClient(server.url, credential) };
};

describe("the list", () => {
  it("has each model with its limits", async () => {
    const figures = (await all()).map(({ id, max_input_tokens, max_tokens }) => [id, max_input_tokens, max_tokens]);
    const large = ["fable-5-2", "haiku-5-5", "sonnet-5-5", "opus-5-5", "fable-5-1", "opus-5", "sonnet-5"];
    expect(figures).toEqual([
      ...large.map((name) => [`claude-${name}`, 1_000_000, 128_000]),
      ["claude-haiku-4-5-20251001", 200_000, 64_000],
    ]);
  });

  it("says what each can do; of compaction only where its beta is sent", async () => {
    const can = (models: readonly BetaModelInfo[]) =>
      models.map(({ id, capabilities }) => [
        id,
        capabilities?.effort.max.supported,
        capabilities?.thinking.types.adaptive.supported,
        capabilities?.thinking.types.between_tools.supported,
        capabilities?.thinking.types.disabled.supported,
        capabilities?.compaction?.summarize.supported,
      ]);
    const plain = await every(vendorClient(server.url).beta.models.list());
    expect(can(await all())).toEqual([
      ["claude-fable-5-2", true, true, false, false, true],
      ["claude-haiku-5-5", true, true, false, true, true],
      ["claude-sonnet-5-5", true, true, true, false, true],
      ["claude-opus-5-5", true, true, false, false, true],
      ["claude-fable-5-1", true, true, false, false, true],
      ["claude-opus-5", true, true, false, true, true],
      ["claude-sonnet-5", true, true, false, true, true],
      ["claude-haiku-4-5-20251001", false, false, false, true, false],
    ]);
    expect(new Set(can(plain).map((row) => row.at(-1)))).toEqual(new Set([undefined]));
  });

  it("comes in pages", async () => {
    const pages = await every(vendorClient(server.url).models.list({ limit: 1 }));
    expect(pages.map(({ id }) => id)).toEqual(KNOWN_MODELS.map(({ id }) => id));
  });
});

describe("one model", () => {
  it("is found by its id and by its alias", async () => {
    const { models } = vendorClient(server.url);
    const found = [await models.retrieve("claude-opus-5-5"), await models.retrieve("claude-haiku-4-5")];
    expect(found.map(({ id }) => id)).toEqual(["claude-opus-5-5", "claude-haiku-4-5-20251001"]);
  });

  it("is also found as a beta", async () => {
    const headers = { "x-api-key": "k", "anthropic-version": "2023-06-01", "anthropic-beta": BETAS.join() };
    const response = await fetch(`${server.url}/v1/models/claude-sonnet-5-5?beta=true`, { headers });
    expect(await response.json()).toMatchObject({ capabilities: { compaction: { summarize: { supported: true } } } });
  });

  it("is not found where there is none", async () => {
    await expect(vendorClient(server.url).models.retrieve("claude-99")).rejects.toThrow(Anthropic.NotFoundError);
  });
});

describe("for one credential", () => {
  it("other figures are answered, models added and taken away", async () => {
    const { credential, models, client } = ownModels();
    await models.set({
      models: {
        "claude-sonnet-5-5": { max_input_tokens: 50_000 },
        "claude-opus-5-5": null,
        "claude-new": { max_input_tokens: 7, display_name: "New" },
      },
    });
    const windows = (await all(credential)).map(({ id, max_input_tokens }) => [id, max_input_tokens]);
    expect(windows).toHaveLength(KNOWN_MODELS.length);
    expect(windows).toContainEqual(["claude-sonnet-5-5", 50_000]);
    expect(windows.at(-1)).toEqual(["claude-new", 7]);
    expect(windows.map(([id]) => id)).not.toContain("claude-opus-5-5");
    expect(await client.models.retrieve("claude-new")).toMatchObject({ type: "model", display_name: "New" });
    expect(await all()).toHaveLength(KNOWN_MODELS.length);
  });

  it("it fails until it is set again, and says how often it was asked", async () => {
    const { credential, models } = ownModels();
    await models.set({ failure: { status: 529, type: "overloaded_error", message: "Overloaded" } });
    await expect(all(credential)).rejects.toMatchObject({ status: 529 });
    await models.set({});
    expect(await all(credential)).toHaveLength(KNOWN_MODELS.length);
    const asked = await models.requests();
    expect(asked.map(({ path }) => path)).toEqual(["/v1/models", "/v1/models"]);
    expect(asked[0]?.headers).toMatchObject({ authorization: `Bearer ${credential}`, "anthropic-beta": BETAS[0] });
  });

  it("it hangs until the client leaves", async () => {
    const { models, client } = ownModels();
    await models.set({ hangs: true });
    const left = new AbortController();
    const listed = client.models.list({}, { signal: left.signal });
    await expect.poll(() => models.requests()).toHaveLength(1);
    left.abort();
    await expect(listed).rejects.toThrow(Anthropic.APIUserAbortError);
  });
});

describe("refused and filed", () => {
  const asked = (headers: Record<string, string>) => fetch(`${server.url}/v1/models`, { headers });
  const version = { "anthropic-version": "2023-06-01" };

  it.each<[string, Record<string, string>, number, string]>([
    ["no version", { "x-api-key": "k" }, 400, "anthropic-version: header is required"],
    ["an unknown beta", { ...version, "x-api-key": "k", "anthropic-beta": "x-2026-01-01" }, 400, "Unexpected value(s)"],
    [
      "the token of a subscription",
      { ...version, authorization: "Bearer sk-ant-oat01-a" },
      401,
      "OAuth authentication is currently not supported.",
    ],
  ])("is a request with %s", async (_name, headers, status, problem) => {
    const response = await asked(headers);
    expect(response.status).toBe(status);
    const violations = await (await fetch(`${server.url}/violations`)).json();
    expect(violations).toContainEqual({ key: null, problem: expect.stringContaining(problem) });
  });

  it("but not one without a credential, which is only refused", async () => {
    expect((await asked(version)).status).toBe(401);
  });
});
