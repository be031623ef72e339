/** The JSON Schemas of the wire, made of the contract's zod schemas. */
import * as z from "zod";
import { ACTION_CONTRACTS } from "../../contract/action.ts";
import { Answers, QUESTION_FIELDS, QuestionAnswer } from "../../contract/guidance/question.ts";
import { RequestId, RunId } from "../../contract/ids.ts";
import { Effort, ModelList } from "../../contract/models.ts";
import { DeviceList, NewDevice, PushedNotice } from "../../contract/notices/notice.ts";
import {
  DecidedBy,
  PermissionAnswer,
  PermissionDecision,
  PermissionOutcome,
  REQUEST_FIELDS,
  RuleView,
} from "../../contract/permission.ts";
import { RunMode, RunStatus, RunView } from "../../contract/run.ts";
import { QuotesKey } from "../../contract/settings/price-settings.ts";
import { SettingsPatch, SettingsView } from "../../contract/settings/settings-view.ts";
import { Stock } from "../../contract/stocks/stock.ts";
import {
  BeforeRun,
  ForkedThread,
  FoundThread,
  ThreadCompaction,
  ThreadPatch,
  ThreadRunView,
  ThreadView,
} from "../../contract/thread.ts";
import { TranscriptEvent } from "../../contract/transcript.ts";
import {
  MAX_PROMPT_LENGTH,
  MAX_THREAD_ID_LENGTH,
  RunMessage,
  RunMessageTaken,
  TurnStartResponse,
} from "../../contract/turn.ts";
import { UndoAnswer, UndoRequest } from "../../contract/undo/undo.ts";

const Ok = z.object({ ok: z.literal(true) });

const nextCursor = z.string().nullable();

/** The body as a client writes it. The contract's own schema reads whatever comes, so that one refusal covers all that can be wrong. */
const TurnStartRequest = z.object({
  threadId: z.string().min(1).max(MAX_THREAD_ID_LENGTH),
  prompt: z.string().min(1).max(MAX_PROMPT_LENGTH),
  model: z.string().nullish(),
  effort: Effort.nullish(),
  mode: RunMode.nullish(),
  timeZone: z.string().nullish().describe("The person's, such as Europe/Berlin"),
});

const PermissionView = z.object({
  ...REQUEST_FIELDS,
  toolCallId: z.string(),
  expiresAt: z.iso.datetime(),
  decision: PermissionOutcome.optional(),
  by: DecidedBy.optional(),
  message: z.string().optional(),
});

const QuestionView = z.object({
  ...QUESTION_FIELDS,
  answers: Answers.nullable().optional(),
  by: DecidedBy.optional(),
});

/** What clients get. */
const ANSWERS = {
  ...{ Error: z.object({ error: z.string() }), Ok, Stock, TranscriptEvent, TurnStartResponse, RunView, PermissionView },
  QuestionView,
  QuestionReply: z.object({ requestId: RequestId, answers: Answers.nullable() }),
  Prompt: z.object({ prompt: z.string() }),
  Abort: z.object({ ok: z.literal(true), runId: RunId, status: RunStatus }),
  PermissionReply: z.object({ requestId: RequestId, decision: PermissionDecision }),
  ThreadList: z.object({ threads: z.array(z.union([FoundThread, ThreadView])), nextCursor }),
  ThreadTitle: z.object({ threadId: z.string(), title: z.string() }),
  ThreadRunList: z.object({ runs: z.array(ThreadRunView), nextCursor }),
  RuleList: z.object({ rules: z.array(RuleView) }),
  ...{ UndoAnswer, RunMessageTaken, ForkedThread, ThreadCompaction, ModelList, DeviceList, PushedNotice, SettingsView },
  NewDeviceId: z.object({ deviceId: z.uuid() }),
  Session: z.object({
    ...{ email: z.string(), orgId: z.string().nullable(), authDisabled: z.boolean() },
    serviceWorker: z.literal(true).optional(),
  }),
  Health: z.object({ ok: z.literal(true), version: z.string(), compatibilityDate: z.string() }),
  ...Object.fromEntries(Object.entries(ACTION_CONTRACTS).map(([name, { output }]) => [`${name}-output`, output])),
};

/** What clients send. */
const BODIES: Readonly<Record<string, z.ZodType>> = {
  ...{
    TurnStartRequest,
    UndoRequest,
    RunMessage,
    PermissionAnswer,
    QuestionAnswer,
    ThreadPatch,
    BeforeRun,
    NewDevice,
    SettingsPatch,
    QuotesKey,
  },
  AccountDeletion: z.object({ email: z.string() }),
  ...Object.fromEntries(Object.entries(ACTION_CONTRACTS).map(([name, { input }]) => [`${name}-input`, input])),
};

export type Json = Readonly<Record<string, unknown>>;

/** Schemas by name, which refer to each other. Answers may get fields that are not here, so they close no object. */
const schemasOf = (named: Readonly<Record<string, z.ZodType>>, io: "input" | "output"): Json => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => {
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  );
};

export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const SEQ_AND_AT = {
  type: "object",
  properties: { seq: { type: "integer", minimum: 1 }, at: { type: "string", format: "date-time" } },
  required: ["seq", "at"],
} as const;

/** Whether a request needs this body. A missing body counts as an object without fields (docs/api.md, section 1). */
export const needsBody = (name: string): boolean => BODIES[name]?.safeParse({}).success !== true;

/** What clients send, by name. */
export const bodySchemas = (): Json => schemasOf(BODIES, "input");

/** What clients get, by name. */
export const answerSchemas = (): Json => ({
  ...schemasOf(ANSWERS, "output"),
  NumberedEvent: { allOf: [ref("TranscriptEvent"), SEQ_AND_AT] },
});
