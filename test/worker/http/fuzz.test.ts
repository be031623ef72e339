/**
 * Every route the app has, asked whatever JSON, queries, headers and methods a generator can think of: it answers, and
 * never with a bug. Routes come from the app itself. `VITE_FUZZ_RUNS=2000 npx vitest run --project worker fuzz` asks
 * more often than a normal run, `VITE_FUZZ_SEED` asks something else.
 */
import fc from "fast-check";
import { describe, it } from "vitest";
import { z } from "zod";
import { createApp } from "../../../src/http/app.ts";
import { type FuzzedRequest, type FuzzedRoute, requestsTo } from "../../support/fuzz/request-arbitrary.ts";
import type { Hints } from "../../support/fuzz/schema-arbitrary.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { signIn } from "../../support/workerd/sign-in.ts";
import { aVictim } from "../../support/workerd/victim.ts";

/** Requests to each route, and what they are drawn from: the same ones in every run, unless configured otherwise. */
const { env } = z
  .object({
    env: z.object({
      VITE_FUZZ_RUNS: z.coerce.number().default(12),
      VITE_FUZZ_SEED: z.coerce.number().default(20_261_121),
    }),
  })
  .parse(import.meta);
const RUNS = env.VITE_FUZZ_RUNS;
const SEED = env.VITE_FUZZ_SEED;

/** Longest a request may take. Only one that hangs takes as long. */
const HANG_MS = 10_000;

/** Time for all requests to one route. */
const ROUTE_TIMEOUT_MS = 30_000 + RUNS * 1_000;

const isOwn = ({ path, method }: FuzzedRoute): boolean => method !== "ALL" && !path.includes("*");

/** Each method of each path once. */
const routes: FuzzedRoute[] = [
  ...new Map(
    createApp()
      .routes.filter(isOwn)
      .map(({ method, path }) => [`${method} ${path}`, { method, path }] as const),
  ).values(),
];

/** What the log says of a bug, also of one that the answer does not tell. */
const BUG = "A request broke.";

const Refusal = z.strictObject({ error: z.string().min(1) });

type Send = (path: string, init: RequestInit) => Promise<Response>;

/** The status, and what is wrong with the answer. */
const judge = async (send: Send, { path, init }: FuzzedRequest): Promise<string | undefined> => {
  const response = await send(path, { ...init, redirect: "manual", signal: AbortSignal.timeout(HANG_MS) });
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
    // It may be of a run that waits, and would not end.
    await response.body?.cancel();
    return undefined;
  }
  const text = await response.text();
  if (response.status >= 500) return `${response.status}: ${text}`;
  if (response.status < 400 || init.method === "HEAD" || text.startsWith("<!doctype html")) return undefined;
  return Refusal.safeParse(JSON.parse(text)).success ? undefined : `${response.status}: ${text}`;
};

/** Asks a route as often as it is told to. Throws with the request that was answered wrongly. */
const fuzz = (route: FuzzedRoute, send: Send, hints: Hints): Promise<void> =>
  fc.assert(
    fc.asyncProperty(requestsTo(route, hints), async (request) => {
      const problem = await judge(send, request);
      if (problem !== undefined) throw new Error(problem);
    }),
    { numRuns: RUNS, seed: SEED },
  );

const isAuth = ({ path }: FuzzedRoute): boolean => path.startsWith("/_framework/auth/");

describe("a route answers whatever it is asked", { timeout: ROUTE_TIMEOUT_MS }, () => {
  it.for(routes.filter((route) => !isAuth(route)))("$method $path", async (route, { expect }) => {
    const { client, fill } = await aVictim();
    const log = captureLog();
    const ids = { run_id: fill("<run>"), request_id: fill("<request>"), rule_id: fill("<rule>"), id: fill("<stock>") };
    const more = { thread_id: "my/thread", threadId: "my/thread", ids: ids.id, stockId: ids.id, selectedIds: ids.id };
    await fuzz(route, client.request, hintsOf({ ...ids, ...more }));
    expect(log.text()).not.toContain(BUG);
  });

  it.for(routes.filter(isAuth))("$method $path", async (route, { expect }) => {
    // On loopback, where nobody counts.
    const browser = await signIn(undefined, "http://localhost");
    const log = captureLog();
    await fuzz(route, browser.send, hintsOf({ email: `${crypto.randomUUID()}@example.com`, role: "member" }));
    expect(log.text()).not.toContain(BUG);
  });
});

it("knows all routes by the app's own list", ({ expect }) => {
  expect(routes).toContainEqual({ method: "POST", path: "/api/agent/turn" });
  expect(routes).toContainEqual({ method: "DELETE", path: "/_framework/threads/:thread_id" });
});

const hintsOf = (texts: Readonly<Record<string, string>>): Hints =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, [text]]));
