/** Every route that the app has is in docs/api.md and in docs/openapi.json, and nothing else is. */
import { describe, it } from "vitest";
import { z } from "zod";
import apiDocument from "../../../docs/api.md?raw";
import openApi from "../../../docs/openapi.json?raw";
import { ACTION_CONTRACTS } from "../../../src/contract/action.ts";
import { actionPath } from "../../../src/contract/action-path.ts";
import { createApp } from "../../../src/http/app.ts";

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
    const { paths } = z.object({ paths: z.record(z.string(), z.looseObject({})) }).parse(JSON.parse(openApi));
    const named = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, "<$1>")}`),
    );
    expect(named.sort()).toEqual([...served, ...FILES].sort());
  });
});
