/** `GET /_framework/models`, and how what the provider says of its models gets into it and into turns (api.md §7). */
import { env } from "cloudflare:test";
import { describe, inject, it } from "vitest";
import { z } from "zod";
import { runMinute } from "../../../src/account/run-cron.ts";
import { ModelList, ModelView } from "../../../src/contract/models.ts";
import { COMMITTED_MODELS, committedFacts } from "../../../src/model/model-facts.ts";
import { say } from "../../support/model-script.ts";
import { KNOWN_MODELS } from "../../support/model-server/model-catalog.ts";
import { scriptModel, scriptModels } from "../../support/scripted-model.ts";
import { askWith } from "../../support/workerd/ask-as-developer.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const PATH = "/_framework/models";

/** What the scripted provider lists by itself. */
const LISTED = KNOWN_MODELS.map(({ id }) => id);

const HOUR_MS = 60 * 60_000;

const Strict = z.strictObject({ models: z.array(z.strictObject(ModelView.shape)) });

const noModels = () => env.DB.prepare("DELETE FROM model_facts").run();

const storedIds = async (): Promise<unknown[]> =>
  (await env.DB.prepare("SELECT id FROM model_facts ORDER BY id").all()).results.map(({ id }) => id);

/** An account of its own at the provider, with what it says of its models; none of them is stored yet. */
const anAccount = async (setting: Parameters<ReturnType<typeof scriptModels>["set"]>[0] = {}) => {
  await noModels();
  const key = `key-${crypto.randomUUID()}`;
  const provider = scriptModels(inject("modelUrl"), key);
  await provider.set(setting);
  const variables = { ANTHROPIC_API_KEY: key };
  return {
    ...provider,
    env: { ...env, ...variables },
    list: async (more: Readonly<Record<string, string>> = {}) =>
      ModelList.parse((await askWith({ ...variables, ...more }, "GET", PATH)).body).models,
    /** Makes what is stored this old. */
    age: (ms: number) =>
      env.DB.prepare("UPDATE model_facts SET fetched_at_ms = ?")
        .bind(Date.now() - ms)
        .run(),
  };
};

describe("the list of models", () => {
  it("has the default first, then the committed ones, with figures and prices", async ({ expect }) => {
    const { body } = await somebody().ask("GET", PATH);
    const { models } = Strict.parse(body);
    expect(models.map(({ id }) => id)).toEqual(COMMITTED_MODELS);
    expect(models[0]).toEqual({
      ...{ id: "claude-sonnet-5-5", name: "Claude Sonnet 5.5", isDefault: true, contextTokens: 1_000_000 },
      efforts: ["low", "medium", "high", "xhigh", "max"],
      pricePerMillion: { input: "2", output: "10", cacheRead: "0.1", cacheWrite: "2.5" },
    });
    expect(models.filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  it("is what AGENT_MODEL and AGENT_MODELS say, also of models without a price", async ({ expect }) => {
    const { list } = await anAccount();
    const variables = { AGENT_MODEL: "claude-haiku-4-5", AGENT_MODELS: "claude-opus-9, claude-opus-5-5" };
    expect(await list(variables)).toMatchObject([
      { id: "claude-haiku-4-5", isDefault: true, contextTokens: 200_000, efforts: [] },
      { id: "claude-opus-9", name: "claude-opus-9", isDefault: false, contextTokens: 200_000, pricePerMillion: null },
      { id: "claude-opus-5-5", isDefault: false },
    ]);
  });

  it("is the demo model alone where that answers", async ({ expect }) => {
    const variables = { ANTHROPIC_API_KEY: "", DEMO_MODEL: "true", AGENT_MODELS: "claude-opus-5-5" };
    expect(await askWith(variables, "GET", PATH)).toEqual({
      status: 200,
      body: {
        models: [
          {
            ...{ id: "demo", name: "Demo", isDefault: true, contextTokens: 200_000, efforts: [] },
            pricePerMillion: null,
          },
        ],
      },
    });
  });

  it("is the allowed ones where nothing answers", async ({ expect }) => {
    const { body } = await askWith({ ANTHROPIC_API_KEY: "" }, "GET", PATH);
    expect(ModelList.parse(body).models.map(({ id }) => id)).toEqual(COMMITTED_MODELS);
  });
});

describe("what the provider says", () => {
  it("is fetched once, stored, and shown, snapshots under their family's name too", async ({ expect }) => {
    const models = {
      "claude-sonnet-5-5": { max_input_tokens: 777_000, display_name: "Sonnet, newly named" },
      "claude-opus-5-5": { max_input_tokens: null },
    };
    const { list, requests } = await anAccount({ models });
    const shown = new Map((await list()).map((model) => [model.id, model]));
    expect(shown.get("claude-sonnet-5-5")).toMatchObject({ contextTokens: 777_000, name: "Sonnet, newly named" });
    expect(shown.get("claude-opus-5-5")).toMatchObject({ contextTokens: 1_000_000 });
    expect(shown.get("claude-haiku-4-5")).toMatchObject({ id: "claude-haiku-4-5", name: "Claude Haiku 4.5" });
    await list();
    const asked = await requests();
    expect(asked.map(({ path }) => path)).toEqual(["/v1/models?limit=1000"]);
    expect(asked[0]?.headers).toMatchObject({
      ...{ "anthropic-version": "2023-06-01", "anthropic-beta": "compact-2026-09-04" },
      "x-api-key": expect.stringMatching(/^key-/),
    });
    expect(await storedIds()).toEqual([...LISTED, "claude-haiku-4-5"].sort());
  });

  it("is what a turn goes by, which fetches nothing", async ({ expect }) => {
    const models = { "claude-opus-5-5": { max_tokens: 4_321 } };
    const { list, requests } = await anAccount({ models });
    await list();
    const script = await scriptModel(inject("modelUrl"), [say("Hi.")]);
    const client = somebody();
    const body = { threadId: "t", prompt: script.prompt("Hello"), model: "claude-opus-5-5" };
    const turn = Object((await client.postTurn(body)).body);
    await client.events(turn.events);
    expect((await script.requests())[0]?.body).toMatchObject({ max_tokens: 4_321 });
    expect(await requests()).toHaveLength(1);
  });

  it("is fetched by a list when it is an hour old, and not before", async ({ expect }) => {
    const { list, requests, age } = await anAccount();
    await env.DB.prepare("INSERT INTO model_facts VALUES ('claude-sonnet-5-5', ?, 0)")
      .bind(JSON.stringify({ ...committedFacts("claude-sonnet-5-5"), contextTokens: 5 }))
      .run();
    await age(HOUR_MS / 2);
    expect((await list())[0]).toMatchObject({ contextTokens: 5 });
    await age(HOUR_MS + 10_000);
    expect((await list())[0]).toMatchObject({ contextTokens: 1_000_000 });
    expect(await requests()).toHaveLength(1);
  });

  it("is fetched by the cron, once an hour", async ({ expect }) => {
    const account = await anAccount();
    const startMs = Date.now();
    const minutes = Array.from({ length: 122 }, (_, minute) => startMs + minute * 60_000);
    await minutes.reduce((before, nowMs) => before.then(() => runMinute(account.env, nowMs)), Promise.resolve());
    expect(await account.requests()).toHaveLength(2);
    expect(await storedIds()).toContain("claude-sonnet-5-5");
  });

  it("no longer, is forgotten", async ({ expect }) => {
    const { list, set, age, env: own } = await anAccount();
    await list();
    await set({ models: { "claude-opus-5-5": null } });
    await age(2 * HOUR_MS);
    await runMinute(own, Date.now() + HOUR_MS);
    expect(await storedIds()).not.toContain("claude-opus-5-5");
  });
});

describe("a provider that fails", () => {
  const failure = { status: 529, type: "overloaded_error", message: "Overloaded, and the key is private" };

  it.for([
    ["answers an error", { failure }],
    [
      "sends us elsewhere",
      { failure: { ...failure, status: 302, headers: { location: "/v1/models/claude-sonnet-5-5" } } },
    ],
    ["lists nothing", { models: Object.fromEntries(LISTED.map((id) => [id, null])) }],
    ["never ends", { models: { "claude-sonnet-5-5": { display_name: "x".repeat(1_100_000) } } }],
  ] as const)(
    "because it %s leaves what is stored, is asked once, and logged once",
    async ([, setting], { expect }) => {
      const { list, set, requests, age } = await anAccount();
      const log = captureLog();
      await env.DB.prepare("INSERT INTO model_facts VALUES ('claude-sonnet-5-5', ?, 0)")
        .bind(JSON.stringify({ ...committedFacts("claude-sonnet-5-5"), contextTokens: 5 }))
        .run();
      await age(2 * HOUR_MS);
      await set(setting);
      expect((await list())[0]).toMatchObject({ contextTokens: 5 });
      expect((await list())[0]).toMatchObject({ contextTokens: 5 });
      expect(await requests()).toHaveLength(1);
      const lines = log.lines({ level: "warn" }).filter(({ message }) => String(message).includes("models' facts"));
      expect(lines).toHaveLength(1);
      expect(log.text()).not.toContain("private");
      expect(log.text()).not.toContain("key-");
    },
  );

  // The provider never answers: without a limit of ours neither would this.
  it("and hangs holds nobody forever", async ({ expect }) => {
    const { list } = await anAccount({ hangs: true });
    const [first, second] = await Promise.all([list(), list()]);
    expect([first?.length, second?.length]).toEqual([COMMITTED_MODELS.length, COMMITTED_MODELS.length]);
  });

  it("is asked again by the cron, which says nothing more of it until it has worked", async ({ expect }) => {
    const account = await anAccount({ failure });
    const log = captureLog();
    const at = (minute: number) => runMinute(account.env, Date.now() + minute * 60_000);
    await at(0);
    await at(6);
    await at(12);
    await account.set({});
    await at(18);
    expect(await account.requests()).toHaveLength(4);
    await account.set({ failure });
    await at(200);
    const lines = log.lines({ level: "warn" }).filter(({ message }) => String(message).includes("models' facts"));
    expect(lines).toHaveLength(2);
    expect(await storedIds()).toContain("claude-sonnet-5-5");
  });
});
