/** Every route that the app has is in docs/api.md and in docs/openapi.json, and nothing else is. */
import { describe, it } from "vitest";
import { z } from "zod";
import apiDocument from "../../../docs/api.md?raw";
import openApi from "../../../docs/openapi.json?raw";
import { ACTION_CONTRACTS } from "../../../src/contract/action.ts";
import { actionPath } from "../../../src/contract/action-path.ts";
import { createApp } from "../../../src/http/app.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";

const ID = "0b8d5f0e-3c55-4d8e-9a63-0d1f6f6f2c11";

/** Answered by the asset server. */
const FILES = ["GET /_framework/openapi.json"];

const METHODS = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

/** The routes of the Worker that are for programs, each once. A handler for all methods refuses those that are not here. */
const served = [
  ...new Set(
    createApp()
      .routes.filter(({ method, path }) => METHODS.has(method) && /^\/(_framework|api)\//.test(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "<$1>")}`),
  ),
];

const OpenApi = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), required: z.boolean() })).default([]),
        requestBody: z.looseObject({ required: z.boolean() }).optional(),
      }),
    ),
  ),
});

const operations = Object.entries(OpenApi.parse(JSON.parse(openApi)).paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
);

/** What a signed-in person's request without anything that is optional gets; ids in its path are nobody's. */
const bare = async (method: string, path: string): Promise<number> => {
  const answer = await fetchAs("bare@example.com", path.replaceAll(/\{\w+\}/g, ID), { method });
  await answer.text();
  return answer.status;
};

const actions = Object.keys(ACTION_CONTRACTS).map(actionPath);

const withoutActions = (routes: readonly string[]): string[] =>
  routes
    .filter((route) => !actions.some((path) => route.endsWith(` ${path}`)) && !route.endsWith("/actions/<name>"))
    .sort();

describe("a route of the Worker", () => {
  it("is in a table of docs/api.md", ({ expect }) => {
    const rows = apiDocument.split("\n").filter((line) => line.startsWith("| `"));
    const named = rows.flatMap((row) => {
      const cell = row.split(" | ", 1)[0] ?? "";
      return [...cell.matchAll(/`([A-Z]+ \/(?:_framework|api)\/[^`]+)`/g)].map(([, route = ""]) => route);
    });
    expect(withoutActions([...new Set(named)])).toEqual(withoutActions([...served, ...FILES]));
  });

  it("is in docs/openapi.json", ({ expect }) => {
    const named = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, "<$1>")}`);
    expect(named.sort()).toEqual([...served, ...FILES].sort());
  });

  it.for(
    operations.flatMap(({ requestBody, ...one }) => (requestBody === undefined ? [] : [{ ...one, ...requestBody }])),
  )(
    "needs a body where docs/openapi.json says so: $method $path, $required",
    async ({ method, path, required }, { expect }) => {
      expect((await bare(method, path)) === 400).toBe(required);
    },
  );

  // One of two fields is needed there, which parameters cannot say.
  const queried = operations.filter(({ path }) => path !== actionPath("get-stock"));
  it.for(queried.filter(({ parameters }) => parameters.some((parameter) => parameter.in === "query")))(
    "needs fields in its query where docs/openapi.json says so: $method $path",
    async ({ method, path, parameters }, { expect }) => {
      const isNeeded = parameters.some((parameter) => parameter.in === "query" && parameter.required);
      expect((await bare(method, path)) === 400).toBe(isNeeded);
    },
  );
});
