/** Scenarios in which something dies, is used up, or is not there. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TurnLine } from "../../src/harness/agent-sdk/host-wire.ts";
import type { HarnessUnderTest } from "../support/agent-sdk/harness-client.ts";
import { callTools, say } from "../support/model-script.ts";
import type { Reply } from "../support/model-server/reply.ts";
import { allows, asks, type Scenario } from "./scenario.ts";

/** `kill -9` of the group of the one turn that runs. */
export const killTurn = ({ stateDir }: HarnessUnderTest): void => {
  const records = join(stateDir, "harness", "turns");
  const [mark = ""] = readdirSync(records);
  process.kill(-Number.parseInt(readFileSync(join(records, mark), "utf8"), 10), "SIGKILL");
};

/** The same once its command has had its effect. */
export const killAfterEffect = (line: TurnLine, host: HarnessUnderTest): void => {
  if (line.type !== "permission") return;
  const timer = setInterval(() => {
    if (!existsSync(join(host.dir, "effect.txt"))) return;
    clearInterval(timer);
    killTurn(host);
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

/** Leaves one line each time it runs. */
const ONCE = "echo once >> effect.txt; sleep 60";

/** More than ten cents for any model. */
const DEAR = { usage: { input: 500_000 } };

/** 2027-01-01T00:00:00Z, in s: a limit that is over then. */
const RESETS_AT_S = 1_798_761_600;

/** All of them. */
export const TROUBLES: readonly Scenario[] = [
  {
    name: "over-budget",
    about: "A turn stops behind the model call that passes its budget; the next one goes on in the session.",
    replies: (dir) => [
      callTools([{ id: "toolu_read", name: "Read", input: { file_path: join(dir, "notes.txt") } }], DEAR),
      say("All of it."),
    ],
    turns: [
      { begin: "new", prompt: "Read it", budgetUsd: 0.1 },
      { begin: "message", prompt: "Go on.", budgetUsd: 0.1 },
    ],
  },
  {
    name: "out-of-steps",
    about: "A turn stops when its model was called as often as it may; the next one goes on in the session.",
    replies: (dir) => [
      callTools([{ id: "toolu_read", name: "Read", input: { file_path: join(dir, "notes.txt") } }]),
      say("All of it."),
    ],
    turns: [
      { begin: "new", prompt: "Read it", maxTurns: 1 },
      { begin: "message", prompt: "Go on.", maxTurns: 1 },
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
          input: { command: ONCE, description: "Once" },
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
    name: "killed-in-answer",
    isVaried: true,
    about:
      "kill -9 in a command that a person had allowed, which leaves it deferred; the message after it is read with what became of that call, and the next command is asked for.",
    replies: () => [
      callTools([{ id: "toolu_once", name: "Bash", input: { command: ONCE, description: "Once" } }]),
      callTools([{ id: "toolu_next", name: "Bash", input: { command: "echo next", description: "Next" } }]),
      say("All ran."),
    ],
    turns: [
      { begin: "new", prompt: "Run it", answer: asks },
      { begin: "deferred", answer: allows, onLine: killAfterEffect },
      {
        begin: "message",
        prompt: "Go on.",
        answer: ({ toolUseId }) =>
          toolUseId === "toolu_once"
            ? { type: "deny", message: "It is not known whether it ran.", isOver: true }
            : { type: "ask" },
      },
      { begin: "deferred", answer: allows },
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
