/**
 * The wire as OpenAPI 3.1. What schemas cannot say is in `docs/api.md`. Run as `npm run docs:openapi` it writes
 * `docs/openapi.json`, which the build puts beside the app's files.
 */
import { join } from "node:path";
import * as z from "zod";
import { ACTION_CONTRACTS } from "../../contract/action.ts";
import { actionPath } from "../../contract/action-path.ts";
import { PROJECT_DIR } from "../../process/project.ts";
import { answerSchemas, bodySchemas, type Json, needsBody, ref } from "./openapi-schemas.ts";
import { writeWhole } from "./write-whole.ts";

const json = (schema: Json): Json => ({ "application/json": { schema } });

type Parts = {
  readonly body?: string;
  readonly query?: Json;
  /** The query's required fields. */
  readonly required?: readonly string[];
  readonly headers?: readonly string[];
  readonly type?: string;
  /** When the operation answers 204 instead, without a body. */
  readonly noContent?: string;
};

const parameter = (
  place: "path" | "query" | "header",
  name: string,
  schema: unknown = { type: "string" },
  required = false,
): Json => ({ name, in: place, required, schema });

/** An operation; `answer` is the name of its schema, undefined where it is not ours. */
const operation = (path: string, summary: string, answer?: string, parts: Parts = {}): Json => {
  const { body, query = {}, required = [], headers = [], type = "application/json", noContent } = parts;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => parameter("path", name, undefined, true)),
    ...Object.entries(query).map(([name, schema]) => parameter("query", name, schema, required.includes(name))),
    ...headers.map((name) => parameter("header", name)),
  ];
  return {
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: { required: needsBody(body), content: json(ref(body)) } }),
    responses: {
      200: { description: "OK", ...(answer !== undefined && { content: { [type]: { schema: ref(answer) } } }) },
      ...(noContent !== undefined && { 204: { description: noContent } }),
      default: { description: "A refusal (docs/api.md, section 1)", content: json(ref("Error")) },
    },
  };
};

const RUN = "/_framework/runs/{run_id}";
const THREAD = "/_framework/threads/{thread_id}";
const REQUEST = `${RUN}/permissions/{request_id}`;
const QUESTIONS = `${RUN}/questions/{request_id}`;
const cursor = { cursor: { type: "string" } };
const order = { enum: ["newest"] };
const q = { type: "string", maxLength: 200 };

type Route = readonly [
  method: "get" | "post" | "put" | "patch" | "delete",
  path: string,
  summary: string,
  answer?: string,
  parts?: Parts,
];

/** Below `/_framework/auth/`; their answers are better-auth's own. */
const AUTH_READS = [
  ...["get-session", "list-sessions", "organization/list", "organization/get-full-organization"],
  ...["organization/list-members", "organization/get-active-member", "organization/get-invitation"],
  ...["organization/list-invitations", "organization/list-user-invitations"],
];
const AUTH_WRITES = [
  ...["email-otp/send-verification-otp", "sign-in/email-otp", "fresh-code", "sign-out", "revoke-session"],
  ...["revoke-sessions", "revoke-other-sessions", "organization/create", "organization/update", "organization/delete"],
  ...["organization/set-active", "organization/leave", "organization/invite-member", "organization/cancel-invitation"],
  ...["organization/accept-invitation", "organization/reject-invitation", "organization/remove-member"],
  "organization/update-member-role",
];

const ROUTES: readonly Route[] = [
  [
    "post",
    "/api/agent/turn",
    "Start a turn",
    "TurnStartResponse",
    { body: "TurnStartRequest", headers: ["Idempotency-Key"] },
  ],
  ["get", RUN, "A run", "RunView"],
  [
    ...(["get", `${RUN}/events`, "The event stream; each `data:` line is one event", "NumberedEvent"] as const),
    {
      query: { after: { type: "string", pattern: "^\\d{0,15}$" } },
      headers: ["Last-Event-ID"],
      type: "text/event-stream",
      noContent: "The run is over, and nothing is left to send",
    },
  ],
  ["get", `${RUN}/prompt`, "The whole prompt", "Prompt"],
  ["post", `${RUN}/abort`, "Stop a run", "Abort"],
  ["post", `${RUN}/undo`, "Undo what a run changed, or say what that would be", "UndoAnswer", { body: "UndoRequest" }],
  [
    "post",
    `${RUN}/messages`,
    "Say something to a run while it works",
    "RunMessageTaken",
    { body: "RunMessage", headers: ["Idempotency-Key"] },
  ],
  ["get", REQUEST, "A permission request, whole", "PermissionView"],
  ["post", REQUEST, "Answer a permission request", "PermissionReply", { body: "PermissionAnswer" }],
  ["get", QUESTIONS, "The questions of a call", "QuestionView"],
  ["post", QUESTIONS, "Answer the questions", "QuestionReply", { body: "QuestionAnswer" }],
  ["get", "/_framework/threads", "Threads, newest first, or those found", "ThreadList", { query: { ...cursor, q } }],
  ["patch", THREAD, "Rename a thread", "ThreadTitle", { body: "ThreadPatch" }],
  ["delete", THREAD, "Delete a thread", "Ok"],
  [
    "get",
    `${THREAD}/runs`,
    "Runs of a thread, oldest first by default",
    "ThreadRunList",
    { query: { ...cursor, order } },
  ],
  ["post", `${THREAD}/rewind`, "Go back to before a run", "Ok", { body: "BeforeRun" }],
  [
    "post",
    `${THREAD}/fork`,
    "Branch a thread before a run",
    "ForkedThread",
    { body: "BeforeRun", headers: ["Idempotency-Key"] },
  ],
  ["post", `${THREAD}/compact`, "Summarize earlier turns", "ThreadCompaction"],
  ["get", `${THREAD}/rules`, "Standing permissions", "RuleList"],
  ["delete", `${THREAD}/rules/{rule_id}`, "Revoke a standing permission", "Ok"],
  ["get", "/_framework/models", "Models a turn can choose", "ModelList"],
  ["get", "/_framework/settings", "What the caller has set", "SettingsView"],
  ["patch", "/_framework/settings", "Change settings", "SettingsView", { body: "SettingsPatch" }],
  ["put", "/_framework/settings/quotes-key", "Set the key of a price source", "Ok", { body: "QuotesKey" }],
  ["delete", "/_framework/settings/quotes-key", "Delete the key of a price source", "Ok"],
  ["get", "/_framework/push", "Devices with push notifications", "DeviceList"],
  ["post", "/_framework/push", "Add a device", "NewDeviceId", { body: "NewDevice" }],
  ["delete", "/_framework/push/{device_id}", "Remove a device", "Ok"],
  ["get", "/_framework/unsubscribe/{token}", "A page with a button that ends mails; needs no sign-in"],
  ["post", "/_framework/unsubscribe/{token}", "End mails (RFC 8058); needs no sign-in"],
  ["get", "/_framework/session", "Who is signed in", "Session"],
  ["get", "/_framework/account/export", "Export the account"],
  ["delete", "/_framework/account", "Delete the account", "Ok", { body: "AccountDeletion" }],
  ["get", "/_framework/openapi.json", "This document; needs no sign-in"],
  ["get", "/_framework/health", "Health; needs no sign-in", "Health"],
  ...AUTH_READS.map((name): Route => ["get", `/_framework/auth/${name}`, "As better-auth answers"]),
  ...AUTH_WRITES.map((name): Route => ["post", `/_framework/auth/${name}`, "As better-auth answers"]),
];

const Input = z.object({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()).default([]) });

/** The whole document. */
const openApiDocument = (): Json => {
  const bodies = bodySchemas();
  const actions = Object.entries(ACTION_CONTRACTS).flatMap(([name, contract]): Route[] => {
    const { kind } = contract;
    const path = actionPath(name);
    const { properties: query, required } = Input.parse(bodies[`${name}-input`]);
    const post: Route = ["post", path, `Action ${name} (${kind})`, `${name}-output`, { body: `${name}-input` }];
    return kind === "read" && !("isPostOnly" in contract)
      ? [["get", path, `Action ${name} (${kind})`, `${name}-output`, { query, required }], post]
      : [post];
  });
  const paths = Map.groupBy([...ROUTES, ...actions], ([, path]) => path);
  return {
    openapi: "3.1.0",
    info: {
      title: "Tally",
      version: "1",
      description: "Generated by `npm run docs:openapi` from `src/contract`. See docs/api.md.",
    },
    paths: Object.fromEntries(
      [...paths].map(([path, routes]) => [
        path,
        Object.fromEntries(routes.map(([method, , ...rest]) => [method, operation(path, ...rest)])),
      ]),
    ),
    components: { schemas: { ...answerSchemas(), ...bodies } },
  };
};

/** The document as its file holds it. */
export const openApiText = (): string => `${JSON.stringify(openApiDocument(), null, 1)}\n`;

if (import.meta.main) writeWhole(join(PROJECT_DIR, "docs/openapi.json"), openApiText());
