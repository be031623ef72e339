/** A conversation: what a turn can hold, how it goes on and how it ends, the composer, the list of chats. */
import { Composer } from "../../../src/ui/agent/conversation/composer.tsx";
import { keptThread } from "../../../src/ui/agent/conversation/kept-thread.ts";
import { ListBanner, RunView } from "../../../src/ui/agent/conversation/run/run-view.tsx";
import { Welcome } from "../../../src/ui/agent/conversation/welcome.tsx";
import { ThreadListView } from "../../../src/ui/agent/panel/thread-list-view.tsx";
import type { ThreadRun } from "../../../src/ui/agent/stream/thread-run.ts";
import type { TranscriptItem } from "../../../src/ui/agent/stream/transcript-item.ts";
import { newTranscript, type TranscriptState } from "../../../src/ui/agent/stream/transcript-state.ts";
import { ANSWER, CODE_ANSWER, says, toolCall, user } from "./chat-samples.ts";
import type { Part } from "./part.ts";
import { MODELS } from "./samples.ts";

const runOf = (runId: string, state: Partial<TranscriptState>, more: Partial<ThreadRun> = {}): ThreadRun => ({
  ...{ runId, createdAt: "2026-11-20T10:00:00.000Z", isReplaced: false, isUndone: false, connection: undefined },
  transcript: { ...newTranscript(runId), status: "running", startedAt: "2026-11-20T10:00:00.000Z", ...state },
  ...more,
});

const ENDED = {
  ...{
    status: "completed",
    endedAt: "2026-11-20T10:00:09.000Z",
    stopReason: "end_turn",
    durationMs: 9_400,
    costUsd: "0.0123",
  },
  ...{
    model: "claude-sonnet-5-5",
    usage: { inputTokens: 4_100, outputTokens: 380, cacheReadTokens: 12_000, cacheWriteTokens: 0 },
  },
} as const satisfies Partial<TranscriptState>;

type TurnProps = {
  readonly run: ThreadRun;
  readonly isLive?: boolean;
  readonly ahead?: number;
  readonly movedFrom?: string;
};

const Turn = ({ run, isLive = false, ahead = 0, movedFrom }: TurnProps) => (
  <div class="conversation log" style={{ overflow: "visible" }}>
    <RunView {...{ run, isLive, ahead, movedFrom }} thread={keptThread("parts")} isLast canGoBack={!isLive} />
  </div>
);

/** A turn that has ended, with these items below its prompt. */
const ended =
  (id: string, items: readonly TranscriptItem[], more: Partial<TranscriptState> = {}) =>
  () => <Turn run={runOf(id, { ...ENDED, items: [user("What do I own?"), ...items], ...more })} />;

/** One that goes on. */
const going =
  (id: string, items: readonly TranscriptItem[], more: Partial<TranscriptState> = {}) =>
  () => <Turn isLive run={runOf(id, { items: [user("Compare my chip stocks."), ...items], ...more })} />;

const failed = (id: string, code: "model_overloaded" | "model_auth", message: string) =>
  ended(id, [], { status: "failed", stopReason: "error", error: { code, message } });

const chatModel = {
  ...MODELS,
  workspaceDir: MODELS.workspaceDir,
  harness: "anthropic" as const,
  isPending: false,
  choice: {},
  pick: () => {},
  onRefused: () => {},
};

type BoxProps = { readonly id: string; readonly liveRuns?: readonly ThreadRun[]; readonly isEdit?: boolean };

const Box = ({ id, liveRuns = [], isEdit = false }: BoxProps) => (
  <Composer
    threadId={id}
    isHidden={false}
    {...{ runs: liveRuns, liveRuns, chatModel, lastModel: "claude-sonnet-5-5" }}
    sendPrompt={async () => {}}
    edited={isEdit ? { runId: "edited", text: "Add 10 AAPL at 180", isPlan: false } : undefined}
    onSent={() => {}}
  />
);

const retry = {
  type: "retry",
  attempt: 2,
  delayMs: 8_000,
  reason: "model_overloaded",
  at: "2026-11-20T10:00:00.000Z",
} as const;

export const CHAT_PARTS: readonly Part[] = [
  { name: "Welcome", states: { usual: () => <Welcome /> } },
  {
    name: "Answers",
    states: {
      text: ended("text", [says("a", ANSWER)]),
      "code, a table, math": ended("code", [says("b", CODE_ANSWER)]),
      thought: ended("thought", [
        says("c", "You own **six** stocks.", { thinking: "They ask for the list, so list it." }),
      ]),
      "a long message of one's own": () => (
        <Turn
          run={runOf("long", {
            ...ENDED,
            items: [user("Tell me about each of my stocks. ".repeat(60)), says("d", "Gladly.")],
          })}
        />
      ),
    },
  },
  {
    name: "A turn at work",
    states: {
      starting: going("starting", []),
      thinking: going("thinking", [says("e", "", { thinking: "Let me look.", isOpen: true })]),
      streaming: going("streaming", [says("f", "You own **six** stocks, of which", { isOpen: true })]),
      "running a command": going("command", [
        toolCall("g", "run_command", "npm test", {
          ...{
            kind: "execute",
            status: "running",
            live: { parts: [{ stream: "stdout", text: "ok 1\nok 2\n" }], leftOut: 0 },
          },
        }),
      ]),
      "to-dos": going("todos", [], {
        todos: [
          { text: "Read the list", state: "done" },
          { text: "Compare it with the index", state: "doing" },
          { text: "Write the report", state: "open" },
        ],
      }),
      "with a message meanwhile": going("steer", [
        { type: "steer", key: "s1", messageId: "s1", text: "Only those in dollars.", state: "waiting" },
        { type: "steer", key: "s2", messageId: "s2", text: "And since March.", state: "given" },
        { type: "steer", key: "s3", messageId: "s3", text: "Too late.", state: "unused" },
      ]),
      retrying: going("retrying", [{ ...retry, key: "r1", isWaiting: true }]),
      stopping: going("stopping", [], { status: "aborting" }),
      queued: () => <Turn isLive ahead={2} run={runOf("queued", { status: "queued", items: [user("And then?")] })} />,
      "not connected": () => (
        <Turn
          isLive
          run={runOf("lost", { items: [user("Still there?")] }, { connection: { state: "waiting", retryAtMs: 0 } })}
        />
      ),
    },
  },
  {
    name: "Tool rows",
    states: {
      done: ended("done", [
        toolCall("t1", "list-stocks", "List stocks", { kind: "read", output: '{"items":[]}' }),
        toolCall("t2", "add-stock", "Add AAPL", { kind: "edit", durationMs: 1_800, permission: "allow_once" }),
        toolCall("t3", "run_command", "npm test", { kind: "execute", durationMs: 75_000, permission: "allow_always" }),
      ]),
      "not done": ended("not-done", [
        toolCall("t4", "update-stock", "Set AAPL's buy target", {
          kind: "edit",
          status: "failed",
          output: '{"error":"AAPL has changed."}',
        }),
        toolCall("t5", "delete-stock", "Delete AAPL", { kind: "edit", status: "denied", permission: "reject" }),
        toolCall("t6", "write_file", "Write plan.md", { kind: "edit", status: "aborted", permission: "expired" }),
        toolCall("t7", "run_command", "make", { kind: "execute", status: "unknown" }),
      ]),
      "answered questions": ended("answered", [
        toolCall("t8", "ask_person", "Ask", { kind: "read", question: { answers: [["NASDAQ"]], by: "user" } }),
        toolCall("t9", "ask_person", "Ask", { kind: "read", question: { answers: null, by: "system" } }),
      ]),
      banners: ended("banners", [
        { type: "context", key: "c1", source: "instructions", path: "AGENTS.md" },
        { type: "context", key: "c2", source: "undo", path: undefined },
        { type: "context", key: "c3", source: "plan", path: undefined },
        { type: "summary", key: "c4", summary: "They own six stocks.", tokensBefore: 180_000, tokensAfter: 2_100 },
        { type: "reset", key: "c5", reason: "The model has changed." },
        { ...retry, key: "c6", isWaiting: false },
        { type: "restart", key: "c7", attempt: 2, at: "2026-11-20T10:00:00.000Z" },
        { type: "workspace", key: "c8", from: "/home/ada/old", to: "/home/ada/new", at: "2026-11-20T10:00:00.000Z" },
      ]),
    },
  },
  {
    name: "Ends of a turn",
    states: {
      "failed, may pass": failed("f1", "model_overloaded", "The model is busy."),
      "failed for good": failed("f2", "model_auth", "The key of the model is not accepted."),
      stopped: ended("f3", [], { status: "aborted", stopReason: "aborted" }),
      "cut off": ended("f4", [says("h", "You own")], { status: "incomplete", stopReason: "max_tokens" }),
      declined: ended("f5", [], { stopReason: "refusal" }),
      "not to be loaded": () => (
        <ListBanner list={{ state: "failed", status: undefined }} hasRuns={false} onRetry={() => {}} />
      ),
      loading: () => <ListBanner list={{ state: "loading" }} hasRuns={false} onRetry={() => {}} />,
    },
  },
  {
    name: "Composer",
    states: {
      empty: () => <Box id="empty" />,
      "while the agent works": () => (
        <Box id="busy" liveRuns={[runOf("busy", {}), runOf("next", { status: "queued" })]} />
      ),
      "changing a message": () => <Box id="edit" isEdit />,
    },
  },
  {
    name: "Chats",
    states: { list: () => <ThreadListView threadId="old" onPick={() => {}} onNew={() => {}} onDeleted={() => {}} /> },
  },
];
