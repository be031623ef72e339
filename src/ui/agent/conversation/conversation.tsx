/** One thread: its transcript above, the composer below. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { TurnStartResponse } from "../../../contract/turn.ts";
import { ApiError } from "../../api/api-error.ts";
import { requestJson } from "../../api/request-json.ts";
import { flushNavigation } from "../../navigation/report-navigation.ts";
import { useIsGone } from "../../parts/task/use-problem.ts";
import { showToast } from "../../parts/toasts.tsx";
import { askedText } from "../../state/agent-panel.ts";
import { beginSending, endSending, messageToSend } from "../../state/message-to-send.ts";
import { useStore } from "../../state/store.ts";
import type { ModelChoice } from "../model/model-choice.ts";
import { keepSent, useModelChoice } from "../model/use-model-choice.ts";
import { freshThreadId, leaveThread } from "../panel/current-thread.ts";
import { useScreenLink } from "../panel/use-screen-link.ts";
import type { ThreadSnapshot } from "../stream/thread-run.ts";
import { isPlanned } from "../stream/transcript-state.ts";
import { Composer } from "./composer.tsx";
import { ConversationContext, type ConversationLinks, type EditedMessage } from "./conversation-context.ts";
import { moveDraft } from "./draft.ts";
import { explainProblem, withQueueWords } from "./explain-problem.ts";
import { type KeptThread, keptThread, viewThread } from "./kept-thread.ts";
import { rewindThread } from "./lead/lead-requests.ts";
import { Transcript } from "./transcript.tsx";
import type { SendOptions, SendPrompt } from "./use-composer.ts";

/** Starts the turn in the person's time zone, or without one if the server does not know it: a browser may have newer zones. */
const startTurn = async (key: string, body: Readonly<Record<string, unknown>>): Promise<TurnStartResponse> => {
  const start = (timeZone?: string) =>
    requestJson<TurnStartResponse>("/api/agent/turn", {
      method: "POST",
      body: { ...body, timeZone },
      headers: { "idempotency-key": key },
    });
  try {
    return await start(Intl.DateTimeFormat().resolvedOptions().timeZone);
  } catch (error) {
    if (error instanceof ApiError && error.message.startsWith("timeZone:")) return await start();
    throw error;
  }
};

/**
 * Sends `prompt`. The same `key` with the same prompt starts no second run, even when the first response was lost.
 *
 * @throws {ApiError} with the server's words.
 */
const sendTurn = async (
  threadId: string,
  prompt: string,
  { key, choice, isPlan, isAgain = false }: SendOptions & { readonly choice: ModelChoice },
): Promise<void> => {
  // The agent must see the screen that the person asks about.
  await flushNavigation();
  const started = await startTurn(key, { threadId, prompt, ...choice, ...(isPlan && { mode: "plan" }) });
  keepSent(threadId, choice);
  keptThread(threadId).begin({ runId: started.runId, events: started.events, prompt, isAgain });
};

/** The thread and its current state. A thread that is new when first shown is not requested. */
const useThread = (
  threadId: string,
  isNew: boolean,
): { readonly thread: KeptThread; readonly snapshot: ThreadSnapshot } => {
  const thread = keptThread(threadId);
  const [, setSnapshot] = useState(thread.transcript.getSnapshot());
  useEffect(() => {
    const { transcript } = keptThread(threadId);
    const read = (): void => setSnapshot(transcript.getSnapshot());
    const unsubscribe = transcript.subscribe(read);
    const leave = viewThread(threadId);
    read();
    return () => {
      unsubscribe();
      leave();
    };
  }, [threadId]);
  // A new thread has nothing to read. Its first message opens it. If the response to that was lost, the thread is opened by picking it
  // in the list, where it is no longer new.
  useEffect(() => {
    if (!isNew) keptThread(threadId).transcript.open();
  }, [threadId, isNew]);
  return { thread, snapshot: thread.transcript.getSnapshot() };
};

/** Sends what the app suggests. Never rejects. */
const sendSuggested = async (text: string, { threadId, send }: ConversationLinks): Promise<void> => {
  if (!beginSending()) return;
  const key = crypto.randomUUID();
  try {
    await send(text, false, key);
  } catch (error) {
    // The text can be sent again from the composer, and starts no second run if only the response was lost.
    askedText.set({ text, sent: { threadId, key } });
    showToast({ text: explainProblem(error), tone: "bad" });
  }
  endSending();
};

type ConversationProps = {
  readonly threadId: string;
  /** It has no messages yet, so there is nothing to read. */
  readonly isNew: boolean;
  /** The list of chats is shown in its place. */
  readonly isHidden: boolean;
  /** Called when the server has accepted a message. */
  readonly onSent?: () => void;
  /** Shows another thread in this one's place. */
  readonly onOpen: (threadId: string) => void;
  /** Shows a new thread in its place. */
  readonly onNew: () => void;
};

/** Give it the thread's id as key. */
export const Conversation = ({ threadId, isNew, isHidden, onSent, onOpen, onNew }: ConversationProps) => {
  useScreenLink();
  const { thread, snapshot } = useThread(threadId, isNew);
  const chatModel = useModelChoice(threadId, isNew);
  const root = useRef<HTMLDivElement>(null);
  const isGone = useIsGone();
  const [edited, setEdited] = useState<EditedMessage>();
  const [sent, setSent] = useState(0);
  const toSend = useStore(messageToSend);
  const onMessageSent = (): void => {
    setSent((count) => count + 1);
    onSent?.();
  };
  const latest = useRef({ onMessageSent, onOpen, onNew, chatModel, thread });
  latest.current = { onMessageSent, onOpen, onNew, chatModel, thread };
  const sendPrompt: SendPrompt = async (prompt, options) => {
    const { edit } = options;
    const { thread: shown, chatModel: chosen } = latest.current;
    const { choice, onRefused } = chosen;
    try {
      if (edit !== undefined) {
        // The chat may have gone back even if the answer is lost.
        await rewindThread(threadId, edit.beforeRunId).finally(() => shown.transcript.reconnect());
        edit.onRewound();
      }
      await sendTurn(threadId, prompt, { ...options, choice });
    } catch (error) {
      onRefused(error);
      throw withQueueWords(error, shown.liveRuns.length);
    }
  };
  const links = useMemo(
    () => ({
      threadId,
      send: async (prompt: string, isPlan: boolean, key: string, isAgain = false) => {
        await sendPrompt(prompt, { key, isPlan, isAgain });
        latest.current.onMessageSent();
      },
      edit: setEdited,
      wasPlanned: (runId: string) => {
        const run = latest.current.thread.transcript.getSnapshot().runs.find((one) => one.runId === runId);
        return run !== undefined && isPlanned(run.transcript);
      },
      openThread: (other: string) => {
        keepSent(other, latest.current.chatModel.choice);
        if (!isGone()) latest.current.onOpen(other);
        else showToast({ text: "The branch is in your list of chats." });
      },
      openNew: () => {
        leaveThread(threadId);
        moveDraft(threadId, freshThreadId());
        // The pressed button disappears with the thread.
        root.current?.closest<HTMLElement>("[tabindex]")?.focus();
        latest.current.onNew();
      },
      giveFocusBack: () => {
        // On a touch screen, focusing the composer would open the keyboard.
        const place = matchMedia("(pointer: coarse)").matches ? ".log" : ".composer textarea";
        root.current?.querySelector<HTMLElement>(place)?.focus({ preventScroll: true });
      },
    }),
    [threadId],
  );
  useEffect(() => {
    if (toSend !== undefined) void sendSuggested(toSend, links);
  }, [toSend, links]);
  return (
    <ConversationContext.Provider value={links}>
      <div class="conversation" ref={root}>
        <Transcript thread={thread} snapshot={snapshot} isNew={isNew} isHidden={isHidden} sent={sent} />
        <Composer
          threadId={threadId}
          isHidden={isHidden}
          runs={snapshot.runs}
          liveRuns={thread.liveRuns}
          lastModel={snapshot.runs.findLast(({ transcript }) => transcript.model !== undefined)?.transcript.model}
          chatModel={chatModel}
          sendPrompt={sendPrompt}
          edited={edited}
          onSent={onMessageSent}
        />
      </div>
    </ConversationContext.Provider>
  );
};
