/** `docs/openapi.json` is what the contract's schemas say, and `docs/api.md` what they are. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openApiText } from "../../../src/cli/build/openapi-document.ts";
import { ACTION_CONTRACTS } from "../../../src/contract/action.ts";
import { FailureCode } from "../../../src/contract/run.ts";
import { Stock } from "../../../src/contract/stocks/stock.ts";
import { TranscriptEvent } from "../../../src/contract/transcript.ts";
import { AUTH_CHANGES, CHANGES } from "../../worker/http/every-route.ts";

const DOCS = join(import.meta.dirname, "../../../docs");

const api = readFileSync(join(DOCS, "api.md"), "utf8");

const section = (number: number): string => api.split(/^## /m).find((part) => part.startsWith(`${number}. `)) ?? "";

/** Blocks of code of one language, parsed line by line. */
const jsonLines = (text: string, language: string): unknown[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].flatMap(([, block = ""]) =>
    block
      .trim()
      .split("\n")
      .map((line): unknown => JSON.parse(line)),
  );

const requests = [...section(5).matchAll(/^POST \/_framework\/actions\/(\S+) (.+)$/gm)].map(
  ([, name = "", body = ""]) => ({ name, body }),
);

it("docs/openapi.json is what npm run docs:openapi writes", () => {
  expect(readFileSync(join(DOCS, "openapi.json"), "utf8")).toBe(openApiText());
});

it("says of the one operation that may answer without a body that it does: 204", () => {
  const Operation = z.object({ responses: z.record(z.string(), z.looseObject({ content: z.unknown().optional() })) });
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), Operation)) })
    .parse(JSON.parse(openApiText()));
  const empty = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(
      ([
        method,
        {
          responses: { 204: answer },
        },
      ]) => (answer === undefined ? [] : [`${method} ${path}, ${answer.content === undefined ? "no body" : "a body"}`]),
    ),
  );
  expect(empty).toEqual(["get /_framework/runs/{run_id}/events, no body"]);
});

it("says of a turn's choices that null leaves them out", () => {
  const Turn = z.object({ properties: z.looseObject({}) });
  const { components } = z
    .object({ components: z.object({ schemas: z.looseObject({ TurnStartRequest: Turn }) }) })
    .parse(JSON.parse(openApiText()));
  const { threadId: _thread, prompt: _prompt, ...choices } = components.schemas.TurnStartRequest.properties;
  const nullable = Object.entries(choices).filter(([, choice]) => JSON.stringify(choice).includes('"null"'));
  expect(Object.fromEntries(nullable)).toEqual(choices);
  expect(Object.keys(choices)).toEqual(["model", "effort", "mode", "timeZone"]);
});

it("has no change that the tables of all routes leave out", () => {
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(JSON.parse(openApiText()));
  const tried = [
    ...CHANGES.map(([path, method]) => `${method} ${path.split("?")[0]}`),
    ...AUTH_CHANGES.map((name) => `POST /_framework/auth/${name}`),
    // They need no log-in, or a code with it, and have tables of their own.
    ...["POST /_framework/unsubscribe/x", "POST /_framework/auth/fresh-code"],
  ];
  const isTried = (wanted: string) => {
    const pattern = new RegExp(`^${wanted.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return tried.some((one) => pattern.test(one));
  };
  const changes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).flatMap((method) => (method === "get" ? [] : [`${method.toUpperCase()} ${path}`])),
  );
  expect(changes.filter((change) => !isTried(change))).toEqual([]);
});

describe("docs/api.md", () => {
  it("has one example of each event, and each is one", () => {
    const types = jsonLines(section(3), "jsonl").map((event) => TranscriptEvent.parse(event).type);
    expect(types.sort()).toEqual(TranscriptEvent.options.map(({ shape }) => shape.type.value).sort());
  });

  it("names each event, failure code and action in its table", () => {
    const first = (text: string) =>
      [...text.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = ""]) => cell.split(", "));
    const types = TranscriptEvent.options.map(({ shape }) => `\`${shape.type.value}\``);
    expect(first(section(3))).toEqual(
      expect.arrayContaining([...types, ...FailureCode.options.map((c) => `\`${c}\``)]),
    );
    expect(first(section(5))).toEqual(Object.keys(ACTION_CONTRACTS).map((name) => `\`${name}\``));
  });

  it("has an example of each action's input", () => {
    expect(requests.map(({ name }) => name)).toEqual(Object.keys(ACTION_CONTRACTS));
    const contracts: Readonly<Record<string, { readonly input: z.ZodType }>> = ACTION_CONTRACTS;
    const wrong = requests.filter(({ name, body }) => !contracts[name]?.input.safeParse(JSON.parse(body)).success);
    expect(wrong).toEqual([]);
  });

  it("shows a stock with every field", () => {
    const [stock] = jsonLines(section(5), "json");
    expect(Object.keys(z.looseObject({}).parse(stock))).toEqual(Object.keys(Stock.shape));
    expect(Stock.safeParse(stock).error).toBeUndefined();
  });
});
