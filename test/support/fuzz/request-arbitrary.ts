/** Any request to a route: odd ids in its path, odd queries, headers and bodies, now and then another method. */
import fc from "fast-check";
import { z } from "zod";
import { CodeRequest, SignInRequest } from "../../../src/auth/sign-in-request.ts";
import { ACTION_CONTRACTS } from "../../../src/contract/action.ts";
import { actionPath } from "../../../src/contract/action-path.ts";
import { PermissionAnswer } from "../../../src/contract/permission.ts";
import { BeforeRun, ThreadPatch } from "../../../src/contract/thread.ts";
import { RunMessage, TurnStartRequest } from "../../../src/contract/turn.ts";
import { oddHeader, oddJson, oddSegment } from "./odd-values.ts";
import { type Hints, valuesOf } from "./schema-arbitrary.ts";

/** A route of the app, with the names of its parameters in the path. */
export type FuzzedRoute = { readonly method: string; readonly path: string };

/** A request in the form that `fetch` accepts. */
export type FuzzedRequest = { readonly path: string; readonly init: RequestInit };

/** Fields of routes, in a body or a query. A route that is not here gets names that others know. */
const FIELDS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ...Object.entries(ACTION_CONTRACTS).map(([name, { input }]) => [actionPath(name), input] as const),
  ["/api/agent/turn", TurnStartRequest],
  ["/_framework/threads", z.object({ cursor: z.string() })],
  ["/_framework/threads/:thread_id/runs", z.object({ cursor: z.string(), order: z.literal("newest") })],
  ["/_framework/runs/:run_id/events", z.object({ after: z.string() })],
  ["/_framework/runs/:run_id/permissions/:request_id", PermissionAnswer],
  ["/_framework/runs/:run_id/messages", RunMessage],
  ["/_framework/threads/:thread_id", ThreadPatch],
  ["/_framework/threads/:thread_id/rewind", BeforeRun],
  ["/_framework/threads/:thread_id/fork", BeforeRun],
  ["/_framework/auth/email-otp/send-verification-otp", CodeRequest],
  ["/_framework/auth/sign-in/email-otp", SignInRequest],
]);

/** Names of fields of better-auth's routes, too. */
const ANY_FIELDS = z.object({
  ...{ id: z.string(), email: z.string(), token: z.string(), name: z.string(), slug: z.string(), role: z.string() },
  ...{ organizationId: z.string(), invitationId: z.string(), memberId: z.string(), data: z.object({}).loose() },
});

const NO_BODY: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const JSON_TYPES = ["application/json", "application/json; charset=utf-8", "Application/JSON"];
const RAW_BODIES = ["", "{", "null", "[]", '""', "0", "\u0000", "[".repeat(50_000), `{"a":${"9".repeat(5_000)}}`];

/** Requests to a route. `hints`: texts that fit parameters (`run_id`) and fields (`id`) by name, ids that exist above all. */
export const requestsTo = (route: FuzzedRoute, hints: Hints): fc.Arbitrary<FuzzedRequest> => {
  const fields = valuesOf(FIELDS.get(route.path) ?? ANY_FIELDS, hints);
  return fc
    .record({
      path: pathsOf(route.path, hints),
      query: fc.oneof(fc.constant(""), { weight: 3, arbitrary: fields.map(queryOf) }),
      method: fc.oneof({ weight: 8, arbitrary: fc.constant(route.method) }, fc.constantFrom(...METHODS)),
      headers,
      body: fc.oneof(
        { weight: 8, arbitrary: fields.map((value) => JSON.stringify(value)) },
        oddJson.map((value) => JSON.stringify(value)),
        fc.constantFrom(...RAW_BODIES),
      ),
    })
    .map(({ path, query, method, headers: given, body }) => ({
      path: `${path}${query}`,
      init: { method, headers: given, ...(NO_BODY.has(method) ? {} : { body }) },
    }));
};

const pathsOf = (path: string, hints: Hints): fc.Arbitrary<string> => {
  const pieces = path.split("/").map((piece) => {
    if (!piece.startsWith(":")) return fc.constant(piece);
    const known = hints[piece.slice(1)] ?? [];
    return known.length === 0
      ? oddSegment
      : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known.map(encodeURIComponent)) }, oddSegment);
  });
  return fc.tuple(...pieces).map((parts) => parts.join("/"));
};

/** The fields of a body as a query, lists as repeated keys. */
const queryOf = (value: unknown): string => {
  const fields = z.record(z.string(), z.unknown()).safeParse(value).data ?? {};
  const pairs = Object.entries(fields).flatMap(([name, field]) =>
    (Array.isArray(field) ? field : [field]).map((one) => [name, typeof one === "string" ? one : JSON.stringify(one)]),
  );
  return `?${new URLSearchParams(pairs)}`;
};

/** Likely values of a header, beside arbitrary ones. No cookies: they say who calls. */
const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    "content-type": fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...JSON_TYPES) }, oddHeader),
    "idempotency-key": oddHeader,
    "last-event-id": oddHeader,
    "x-updated-via": fc.constantFrom("import", "agent", ""),
    accept: fc.constantFrom("text/html", "text/event-stream", "*/*"),
    "x-forwarded-for": oddHeader,
    "sec-fetch-site": fc.constantFrom("same-origin", "same-origin", "same-origin", "none", "cross-site"),
  },
  { requiredKeys: ["content-type"] },
);
