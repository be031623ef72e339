/** What is played with the real SDK: to record it, and to see that it is still so. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TurnLine } from "../../src/harness/agent-sdk/host-wire.ts";
import type { Answerer, HarnessUnderTest } from "../support/agent-sdk/harness-client.ts";
import { callTools, message, say, thought } from "../support/model-script.ts";
import type { Reply } from "../support/model-server/reply.ts";

/** One turn of a scenario. */
type ScenarioTurn = {
  readonly begin: "new" | "message" | "deferred";
  readonly prompt?: string;
  readonly answer?: Answerer;
  readonly onLine?: (line: TurnLine, host: HarnessUnderTest) => void;
};

/** A scenario: what the model says, and what is done. */
export type Scenario = {
  readonly name: string;
  readonly about: string;
  /** No credential is given. */
  readonly isLoggedOut?: true;
  readonly replies: (dir: string) => readonly Reply[];
  readonly turns: readonly ScenarioTurn[];
};

/** The actions that turns offer. */
export const TOOLS = [
  {
    name: "list-stocks",
    kind: "read",
    description: "Lists the person's stocks.",
    inputSchema: { type: "object", properties: { q: { type: "string" } }, additionalProperties: false },
  },
  {
    name: "add-stock",
    kind: "edit",
    description: "Adds a stock.",
    inputSchema: { type: "object", properties: { symbol: { type: "string" } }, required: ["symbol"] },
  },
  { name: "ask_user", kind: "edit", description: "Asks the person.", inputSchema: { type: "object" } },
  { name: "propose_plan", kind: "edit", description: "Proposes a plan.", inputSchema: { type: "object" } },
  { name: "set_todos", kind: "read", description: "Shows to-dos.", inputSchema: { type: "object" } },
] as const;

const asks: Answerer = (question) =>
  question.type === "tool" ? { type: "tool", output: '{"items":[]}', isError: false } : { type: "ask" };

const allows: Answerer = () => ({ type: "allow" });

/** Kills the turn's group once its command has had its effect. */
const killAfterEffect = (line: TurnLine, host: HarnessUnderTest): void => {
  if (line.type !== "permission") return;
  const timer = setInterval(() => {
    if (!existsSync(join(host.dir, "effect.txt"))) return;
    clearInterval(timer);
    const records = join(host.stateDir, "harness", "turns");
    const [mark = ""] = readdirSync(records);
    process.kill(-Number.parseInt(readFileSync(join(records, mark), "utf8"), 10), "SIGKILL");
  }, 20);
};

const rateLimited = (resetsAtS: number): Reply => ({
  type: "failure",
  status: 429,
  headers: {
    "anthropic-ratelimit-unified-status": "rejected",
    "anthropic-ratelimit-unified-reset": String(resetsAtS),
    "anthropic-ratelimit-unified-representative-claim": "five_hour",
    "anthropic-ratelimit-unified-5h-status": "rejected",
    "anthropic-ratelimit-unified-5h-reset": String(resetsAtS),
    "x-should-retry": "false",
  },
  body: failureBody("rate_limit_error", "This request would exceed your account's rate limit. Please try again later."),
});

const failureBody = (type: string, text: string) => ({
  type: "error",
  error: { type, message: text },
  request_id: "req_1",
});

const overloaded: Reply = {
  type: "failure",
  status: 529,
  headers: {},
  body: failureBody("overloaded_error", "Overloaded"),
};

const WHERE = { question: "Which exchange?", options: [{ label: "Nasdaq" }, { label: "Xetra" }] };

/** 2027-01-01T00:00:00Z, in s: a limit that is over then. */
const RESETS_AT_S = 1_798_761_600;

/** All of them, by name. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: "two-turns",
    about: "A first turn that thinks and speaks, and a second one in the same session.",
    replies: () => [
      message([thought("A greeting."), { type: "text", text: "Hello there.", deltas: 3 }]),
      say("You said hello."),
    ],
    turns: [
      { begin: "new", prompt: "Hello" },
      { begin: "message", prompt: "What did I say?" },
    ],
  },
  {
    name: "read-edits-stock",
    about:
      "One message calls a read, a stock read, an edit, a write and a stock write. The edit is deferred and later allowed; the write is called again, deferred and rejected.",
    replies: (dir) => [
      callTools(
        [
          { id: "toolu_read", name: "Read", input: { file_path: join(dir, "notes.txt") } },
          { id: "toolu_list", name: "mcp__tally__list-stocks", input: { q: "A" } },
          {
            id: "toolu_edit",
            name: "Edit",
            input: { file_path: join(dir, "notes.txt"), old_string: "one", new_string: "two" },
          },
          { id: "toolu_write", name: "Write", input: { file_path: join(dir, "new.txt"), content: "new\n" } },
          { id: "toolu_add", name: "mcp__tally__add-stock", input: { symbol: "AAPL" } },
        ],
        { text: "I do all of it." },
      ),
      callTools([{ id: "toolu_write2", name: "Write", input: { file_path: join(dir, "new.txt"), content: "new\n" } }]),
      say("Then not."),
    ],
    turns: [
      { begin: "new", prompt: "Do it", answer: asks },
      {
        begin: "deferred",
        answer: (question) => (question.toolUseId === "toolu_edit" ? { type: "allow" } : { type: "ask" }),
      },
      { begin: "deferred", answer: () => ({ type: "deny", message: "The person rejected this: not that file." }) },
    ],
  },
  {
    name: "commands",
    about: "A command that a rule covers, one that fails, and one that is asked and then allowed.",
    replies: () => [
      callTools([
        {
          id: "toolu_pwd",
          name: "Bash",
          input: { command: "mkdir -p sub && cd sub; echo out; echo err >&2", description: "Says both" },
        },
      ]),
      callTools([{ id: "toolu_fail", name: "Bash", input: { command: "exit 3", description: "Fails" } }]),
      callTools([{ id: "toolu_ask", name: "Bash", input: { command: "pwd; echo asked", description: "Asks" } }]),
      say("All ran."),
    ],
    turns: [
      {
        begin: "new",
        prompt: "Run them",
        answer: (question) => (question.toolUseId === "toolu_ask" ? { type: "ask" } : { type: "allow" }),
      },
      { begin: "deferred", answer: allows },
    ],
  },
  {
    name: "stock-asked",
    about:
      "A stock write waits for a person: the turn ends after its answer, and goes on with the true one as a message.",
    replies: () => [
      callTools([{ id: "toolu_add", name: "mcp__tally__add-stock", input: { symbol: "AAPL" } }]),
      say("Added."),
    ],
    turns: [
      {
        begin: "new",
        prompt: "Add AAPL",
        answer: () => ({
          type: "tool",
          output: "The person is asked; the answer comes as a message.",
          isError: false,
          ends: true,
        }),
      },
      { begin: "message", prompt: 'The answer of add-stock (toolu_add): {"stock":{"symbol":"AAPL"}}' },
    ],
  },
  {
    name: "asks-user",
    about:
      "To-dos are shown while the turn runs; questions to the person end it, and it goes on with the answers as a message.",
    replies: () => [
      callTools([
        { id: "toolu_todos", name: "mcp__tally__set_todos", input: { items: [{ text: "Ask", state: "doing" }] } },
        { id: "toolu_ask", name: "mcp__tally__ask_user", input: { questions: [WHERE] } },
      ]),
      say("Nasdaq it is."),
    ],
    turns: [
      {
        begin: "new",
        prompt: "Add what I like",
        answer: ({ toolUseId }) => ({
          ...{ type: "tool", output: "The person is asked.", isError: false },
          ...(toolUseId === "toolu_ask" ? { ends: true } : {}),
        }),
      },
      { begin: "message", prompt: "The answer of ask_user (toolu_ask): Nasdaq" },
    ],
  },
  {
    name: "plans",
    about:
      "A write is refused in plan mode; the plan ends the turn; accepted, the write is made again, deferred and allowed.",
    replies: (dir) => [
      callTools([{ id: "toolu_early", name: "Write", input: { file_path: join(dir, "new.txt"), content: "new\n" } }]),
      callTools([{ id: "toolu_plan", name: "mcp__tally__propose_plan", input: { markdown: "1. Write new.txt" } }]),
      callTools([{ id: "toolu_write", name: "Write", input: { file_path: join(dir, "new.txt"), content: "new\n" } }]),
      say("Written."),
    ],
    turns: [
      {
        begin: "new",
        prompt: "Plan it",
        answer: ({ type }) =>
          type === "tool"
            ? { type, output: "The person is asked.", isError: false, ends: true }
            : { type: "deny", message: "Refused: this turn is in plan mode." },
      },
      { begin: "message", prompt: "The person accepted the plan.", answer: () => ({ type: "ask" }) },
      { begin: "deferred", answer: allows },
    ],
  },
  {
    name: "killed-in-command",
    about:
      "kill -9 of the whole group after a command's effect and before its result is in the session file; then a message.",
    replies: () => [
      callTools([
        {
          id: "toolu_once",
          name: "Bash",
          input: { command: "echo once >> effect.txt; sleep 60", description: "Once" },
        },
      ]),
      say("I look whether it ran."),
    ],
    turns: [
      { begin: "new", prompt: "Run it", answer: allows, onLine: killAfterEffect },
      { begin: "message", prompt: "Go on." },
    ],
  },
  {
    name: "plan-limit",
    about: "The plan's five-hour limit is reached: 429 with the unified headers.",
    replies: () => [rateLimited(RESETS_AT_S)],
    turns: [{ begin: "new", prompt: "Hello" }],
  },
  {
    name: "not-logged-in",
    about: "Nobody is logged in: no request is made.",
    isLoggedOut: true,
    replies: () => [],
    turns: [{ begin: "new", prompt: "Hello" }],
  },
  {
    name: "overloaded",
    about: "The provider is overloaded once; the SDK tries again by itself.",
    replies: () => [overloaded, say("Here I am.")],
    turns: [{ begin: "new", prompt: "Hello" }],
  },
];
