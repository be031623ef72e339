/** `GET /_framework/health` (api.md §2): the one route that needs no sign-in. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import packageJson from "../../package.json";
import worker from "../support/workerd/test-worker.ts";

const PATH = "/_framework/health";

/** A database that cannot be reached: the one state the real one cannot be put into. */
const unreachable = (): never => {
  throw new Error("D1_ERROR: Network connection lost.");
};
const unreachableDb: D1Database = {
  prepare: unreachable,
  batch: unreachable,
  exec: unreachable,
  withSession: unreachable,
  dump: unreachable,
};

it("says which version runs, to anybody", async () => {
  const response = await worker.request(PATH, {}, env);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    ok: true,
    version: packageJson.version,
    compatibilityDate: env.COMPATIBILITY_DATE,
  });
});

it("answers HEAD as GET without a body", async () => {
  const response = await worker.request(PATH, { method: "HEAD" }, env);
  expect(response.status).toBe(200);
  expect(await response.text()).toBe("");
});

it.each(["POST", "PUT", "DELETE"])("refuses %s", async (method) => {
  const response = await worker.request(PATH, { method }, env);
  expect(response.status).toBe(405);
  expect(response.headers.get("Allow")).toBe("GET");
  expect(await response.json()).toEqual({ error: "Method not allowed." });
});

it("answers 503 while the database cannot be reached", async () => {
  const response = await worker.request(PATH, {}, { ...env, DB: unreachableDb });
  expect(response.status).toBe(503);
  expect(await response.json()).toEqual({ error: "The agent is unavailable. Try again." });
});
