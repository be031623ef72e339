import { IconArrowDown, IconChevronRight } from "@tabler/icons-preact";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { type ThreadRun, type ThreadSnapshot, workspaceChange } from "../stream/thread-run.ts";
import type { KeptThread } from "./kept-thread.ts";
import { ListBanner, RunView } from "./run/run-view.tsx";
import { useLinkedCard } from "./use-linked-card.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";
import { Welcome } from "./welcome.tsx";

type TranscriptProps = {
  readonly thread: KeptThread;
  readonly snapshot: ThreadSnapshot;
  readonly isNew: boolean;
  readonly isHidden: boolean;
  /** How many messages were sent from here: whoever sends one wants to see it. */
  readonly sent: number;
};

/** The runs, oldest first. Stays at the end while the person is there, and never moves what they read above. */
export const Transcript = ({ thread, snapshot, isNew, isHidden, sent }: TranscriptProps) => {
  const box = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { runs, list, hasOlder } = snapshot;
  const { isAtEnd, hasNews, goToEnd, hold, keepPlace } = useStickToEnd(box, content, runs, newestOf(runs));
  useLinkedCard(box, runs, { isHidden, hold });
  useLayoutEffect(() => {
    if (sent > 0) goToEnd();
  }, [sent, goToEnd]);
  const live = thread.liveRuns;
  const isEmpty = runs.length === 0;
  const onToEnd = (): void => {
    goToEnd();
    // The pressed button disappears.
    box.current?.focus({ preventScroll: true });
  };
  const keyOf = useGroupKeys();
  return (
    <div class="transcript">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard (WCAG 2.1.1). */}
      <section ref={box} class="log" role="log" aria-live="off" aria-label="Chat" tabIndex={0}>
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
          {!isNew && <ListBanner list={list} hasRuns={!isEmpty} onRetry={() => thread.transcript.reconnect()} />}
          {isEmpty && (isNew || list.state === "ready") && <Welcome />}
          {groupsOf(runs).map((group) => (
            <Replaced key={keyOf(group)} runs={group}>
              {group.map((run) => (
                <RunView
                  key={run.runId}
                  run={run}
                  thread={thread}
                  isLive={thread.isLive(run)}
                  ahead={live.indexOf(run)}
                  isLast={run === runs.at(-1)}
                  canGoBack={live.length === 0 && !run.isReplaced}
                  movedFrom={workspaceChange(runs[runs.indexOf(run) - 1], run)?.from}
                />
              ))}
            </Replaced>
          ))}
        </div>
      </section>
      {!isAtEnd && (
        <Button class={hasNews ? "to-end news" : "to-end"} isSmall icon={IconArrowDown} onClick={onToEnd}>
          {hasNews ? "New messages" : "Latest"}
        </Button>
      )}
    </div>
  );
};

/** Consecutive replaced runs form one group. Every other run is alone. */
const groupsOf = (runs: readonly ThreadRun[]): ThreadRun[][] => {
  const groups: ThreadRun[][] = [];
  for (const run of runs) {
    const last = groups.at(-1);
    if (run.isReplaced && last?.[0]?.isReplaced) last.push(run);
    else groups.push([run]);
  }
  return groups;
};

/** Keys for groups of runs. A group of replaced runs keeps its key when runs join it at either end, so that it stays unfolded. */
const useGroupKeys = (): ((group: readonly ThreadRun[]) => string) => {
  const keys = useRef(new Map<string, string>());
  return (group) => {
    const last = group.at(-1);
    if (!last?.isReplaced) return last?.runId ?? "";
    const key = group.flatMap(({ runId }) => keys.current.get(runId) ?? [])[0] ?? `replaced ${last.runId}`;
    for (const { runId } of group) keys.current.set(runId, key);
    return key;
  };
};

/** Folds runs that were replaced, because the person has gone back to before them. */
const Replaced = ({ runs, children }: { readonly runs: readonly ThreadRun[]; readonly children: ComponentChildren }) =>
  runs[0]?.isReplaced ? (
    <details class="tool-card">
      <summary>
        <IconChevronRight class="fold" size={18} stroke={1.75} aria-hidden="true" />
        <span class="name">Replaced</span>
        <span class="took">{runs.length === 1 ? "1 message" : `${runs.length} messages`}</span>
      </summary>
      <div class="replaced">{children}</div>
    </details>
  ) : (
    children
  );

const newestOf = (runs: readonly ThreadRun[]): string => {
  const last = runs.at(-1);
  return last === undefined ? "" : `${last.runId} ${last.transcript.lastSeq}`;
};
