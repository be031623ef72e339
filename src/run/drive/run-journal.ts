/** The journal of one attempt, over the run's ledger (run.md, Driving). */
import type { Question } from "../../contract/guidance/question.ts";
import type { Todo } from "../../contract/guidance/todo.ts";
import type { Usage } from "../../contract/run.ts";
import type { EventOf, TranscriptEvent } from "../../contract/transcript.ts";
import type { Env } from "../../env.ts";
import { type AskedCall, type PermissionAsk, Superseded, type TurnJournal } from "../../harness/journal.ts";
import type { FileBefore, FileChange, Proposal } from "../../harness/tools/tool.ts";
import type { CallResult, ClosedMessage, ToolCall } from "../../harness/turn.ts";
import { keepContent } from "../../undo/files/before-images.ts";
import { keptFilesOf } from "../../workspace/durable/durable-workspace.ts";
import { isEnded, isLive, modelOf, startedPart } from "../run-state.ts";
import { applyMessages } from "../steer-run.ts";
import type { Ledger } from "../store/ledger.ts";
import { callEndEvent, callStartEvent, fileChangeEvent, replyEvent, requestEvent } from "../store/run-events.ts";
import type { PersonRequest, RequestReply } from "../store/stored-request.ts";
import { DeltaBuffer } from "../stream/delta-buffer.ts";
import { permissionRequest, questionRequest } from "./new-request.ts";
import { passedMs } from "./running-time.ts";

/** What the journal needs besides the ledger. */
export type JournalDeps = {
  readonly env: Pick<Env, "WORKSPACES">;
  readonly ledger: Ledger;
  /** Running time of the run so far, in ms. */
  readonly runningMs: () => number;
  readonly nowMs: () => number;
  readonly newId: () => string;
};

/** Writes for one attempt: once that is overtaken or the run is over, writing throws `Superseded`, and what waits is dropped. */
export class RunJournal implements TurnJournal {
  readonly #deps: JournalDeps;
  readonly #attempt: number;
  readonly #model: string;
  readonly #deltas: DeltaBuffer;
  /** A message whose `message_start` is still in the buffer. */
  #opening: { readonly messageId: string; readonly step: number; readonly usage: Usage } | undefined;

  constructor(deps: JournalDeps) {
    this.#deps = deps;
    const { attempts, state } = deps.ledger.record();
    this.#attempt = attempts.attempt;
    this.#model = modelOf(state) ?? "";
    this.#deltas = new DeltaBuffer(() => this.flush(), deps.nowMs);
  }

  async openMessage(message: { readonly messageId: string; readonly step: number }, usage: Usage): Promise<void> {
    this.#guard("go_on");
    this.#opening = { ...message, usage };
    this.#deltas.open({ type: "message_start", ...message });
  }

  textDelta(messageId: string, text: string): void {
    this.#deltas.add({ type: "text_delta", messageId, text });
  }

  thinkingDelta(messageId: string, text: string): void {
    this.#deltas.add({ type: "thinking_delta", messageId, text });
  }

  countOutput(messageId: string, text: string): void {
    this.#deps.ledger.spending.countOutput(messageId, text);
  }

  output(toolCallId: string, stream: "stdout" | "stderr", text: string): void {
    this.#deltas.add({ type: "tool_output", toolCallId, stream, text });
  }

  showTodos(items: readonly Todo[]): void {
    this.#deltas.hold({ type: "todos", items: [...items] });
  }

  /** Writes the buffer. Once the attempt is superseded the buffer is dropped, because its message is void. */
  flush(): void {
    if (this.#isSuperseded()) this.#deltas.take();
    else this.#deps.ledger.commit(() => this.#takeDeltas());
  }

  async discardMessage(messageId: string, usage: Usage): Promise<void> {
    this.#commit("go_on", () => {
      const { checkpoints, spending } = this.#deps.ledger;
      checkpoints.discardOpenMessage();
      spending.add("discard", usage, this.#model);
      return [{ type: "message_discard", messageId, reason: "retry", usage }];
    });
  }

  async closeMessage(message: ClosedMessage, calls: readonly ToolCall[]): Promise<void> {
    this.#commit("go_on", () => {
      const { checkpoints, spending } = this.#deps.ledger;
      const { messageId, step, text, stopReason, usage } = message;
      checkpoints.closeMessage(message, this.#model, this.#deps.runningMs(), spending.cutOutput(message));
      for (const [position, call] of calls.entries()) checkpoints.addCall(call, step, position, this.#deps.nowMs());
      return [{ type: "message_end", messageId, text, stopReason, usage }, ...calls.map(callStartEvent)];
    });
  }

  async modelRetry(retry: Omit<EventOf<"model_retry">, "type">): Promise<void> {
    this.#commit("go_on", () => [{ type: "model_retry", ...retry }]);
  }

  async ask(call: AskedCall, ask: PermissionAsk): Promise<void> {
    this.#commit("start", () => this.#wait(permissionRequest(call, ask, this.#deps)));
  }

  async askQuestions(call: ToolCall, questions: readonly Question[]): Promise<void> {
    this.#commit("start", () => this.#wait(questionRequest(call, questions, this.#deps)));
  }

  async takeMessages(step: number): Promise<readonly string[]> {
    this.#guard("go_on");
    return applyMessages(this.#deps.ledger, step);
  }

  async allowByRule(call: ToolCall, ask: PermissionAsk): Promise<void> {
    this.#commit("start", () => {
      const reply: RequestReply = { decision: "allow_always", by: "rule" };
      const request = permissionRequest(call, ask, this.#deps, reply);
      this.#deps.ledger.requests.add(request);
      this.#deps.ledger.checkpoints.saveCallState(call.toolCallId, { type: "allowed" }, this.#deps.nowMs());
      return [requestEvent(request), replyEvent(request, reply)];
    });
  }

  shown(toolCallId: string): Proposal | undefined {
    return this.#deps.ledger.requests.findForCall(toolCallId);
  }

  async markStarted(toolCallId: string): Promise<void> {
    this.#commit("start", () => {
      this.#deps.ledger.checkpoints.saveCallState(toolCallId, { type: "started" }, this.#deps.nowMs());
      return [];
    });
  }

  async keepBefore(toolCallId: string, file: FileBefore): Promise<void> {
    this.#guard("start");
    const { env, ledger } = this.#deps;
    const world = { images: ledger.images, kept: keptFilesOf(env.WORKSPACES, ledger.record().spec) };
    const missing = await keepContent(world, toolCallId, file);
    this.#commit("start", () => {
      ledger.images.keep(toolCallId, file, missing);
      return [];
    });
  }

  async endCall(toolCallId: string, result: CallResult, fileChange?: FileChange): Promise<void> {
    this.#commit("go_on", () => {
      const { checkpoints, images } = this.#deps.ledger;
      const sinceMs = checkpoints.findCall(toolCallId)?.sinceMs ?? this.#deps.nowMs();
      checkpoints.endCall(toolCallId, result, this.#deps.runningMs());
      if (fileChange !== undefined) images.note(toolCallId, fileChange.path);
      else if (result.status !== "unknown") images.drop(toolCallId);
      const change = fileChange === undefined ? [] : [fileChangeEvent(toolCallId, fileChange)];
      return [...change, callEndEvent(toolCallId, result, passedMs(sinceMs, this.#deps.nowMs()))];
    });
  }

  /** Writes a request and lets the run wait. */
  #wait(request: PersonRequest): TranscriptEvent[] {
    const { runs, checkpoints, requests } = this.#deps.ledger;
    const record = this.#deps.ledger.record();
    if (!isLive(record.state)) throw new Superseded();
    const { requestId } = request;
    requests.add(request);
    checkpoints.saveCallState(request.toolCallId, { type: "asking" }, this.#deps.nowMs());
    runs.save(record, { state: { status: "waiting_permission", ...startedPart(record.state), requestId } });
    return [requestEvent(request), { type: "run_status", status: "waiting_permission" }];
  }

  #commit(kind: "start" | "go_on", write: () => readonly TranscriptEvent[]): void {
    this.#guard(kind);
    this.#deps.ledger.commit(() => [...this.#takeDeltas(), ...write()]);
  }

  /** Takes the buffered events and, if a `message_start` is among them, writes the row of its message: both or neither. */
  #takeDeltas(): TranscriptEvent[] {
    const events = this.#deltas.take();
    if (this.#opening !== undefined) {
      const before = events.findIndex((event) => event.type === "message_start");
      const startSeq = this.#deps.ledger.transcript.lastSeq + before + 1;
      const { usage, ...opened } = this.#opening;
      this.#deps.ledger.checkpoints.openMessage({ ...opened, startSeq }, usage, this.#model);
      this.#opening = undefined;
    }
    return events;
  }

  /** Throws for an attempt that was overtaken. While the run is being aborted, it also throws for methods that start something. */
  #guard(kind: "start" | "go_on"): void {
    const isAborting = this.#deps.ledger.runs.find()?.state.status === "aborting";
    if (this.#isSuperseded() || (kind === "start" && isAborting)) throw new Superseded();
  }

  #isSuperseded(): boolean {
    const record = this.#deps.ledger.runs.find();
    return record === undefined || isEnded(record.state) || record.attempts.attempt !== this.#attempt;
  }
}
