/** The scrolling part of a conversation: its runs, oldest first. */
import { IconArrowDown } from "@tabler/icons-preact";
import { useRef } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { type ThreadRun, workspaceChange } from "../thread-run.ts";
import type { ThreadSnapshot } from "../thread-transcript.ts";
import type { KeptThread } from "./kept-thread.ts";
import { ListNotice } from "./list-notice.tsx";
import { RunView } from "./run-view.tsx";
import { useStickToEnd } from "./use-stick-to-end.ts";
import { Welcome } from "./welcome.tsx";

type TranscriptProps = { readonly thread: KeptThread; readonly snapshot: ThreadSnapshot; readonly isNew: boolean };

/** Keeps to its end while the person is there, and never moves what they read above. */
export const Transcript = ({ thread, snapshot, isNew }: TranscriptProps) => {
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { runs, list, hasOlder } = snapshot;
  const { isAtEnd, hasNews, goToEnd, keepPlace } = useStickToEnd(box, content, runs, newestOf(runs));
  const live = thread.liveRuns;
  const isEmpty = runs.length === 0;
  return (
    <div class="transcript">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.1.1). */}
      <section ref={box} class="log" role="log" aria-live="off" aria-label="Conversation" tabIndex={0}>
        <div ref={content} class="log-content">
          {hasOlder && (
            <Button
              class="older"
              isSmall
              onClick={() => {
                keepPlace();
                thread.transcript.showOlder();
              }}
            >
              Show older messages
            </Button>
          )}
          {!isNew && <ListNotice list={list} hasRuns={!isEmpty} onRetry={() => thread.transcript.reconnect()} />}
          {isEmpty && (isNew || list.state === "ready") && <Welcome />}
          {runs.map((run, index) => (
            <RunView
              key={run.runId}
              run={run}
              thread={thread}
              isLive={thread.isLive(run)}
              ahead={live.indexOf(run)}
              isLast={index === runs.length - 1}
              movedFrom={workspaceChange(runs[index - 1], run)?.from}
            />
          ))}
        </div>
      </section>
      {!isAtEnd && (
        <Button class={hasNews ? "to-end news" : "to-end"} isSmall icon={IconArrowDown} onClick={goToEnd}>
          {hasNews ? "New messages" : "Latest"}
        </Button>
      )}
    </div>
  );
};

const newestOf = (runs: readonly ThreadRun[]): string => {
  const last = runs.at(-1);
  return last === undefined ? "" : `${last.runId} ${last.transcript.lastSeq}`;
};
