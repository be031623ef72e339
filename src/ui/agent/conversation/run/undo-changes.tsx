/** Undoes what a turn changed: a preview first, which says what will happen, what conflicts and what cannot be undone. */
import { IconArrowBackUp } from "@tabler/icons-preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { UndoAnswer, UndoFile, UndoRequest, UndoStock } from "../../../../contract/undo/undo.ts";
import { requestJson } from "../../../api/request-json.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { useIsGone, useProblem } from "../../../parts/task/use-problem.ts";
import { createStore, useStore } from "../../../state/store.ts";
import { currentScreen } from "../../panel/current-screen.ts";
import type { TranscriptItem } from "../../stream/transcript-item.ts";
import { explainProblem } from "../explain-problem.ts";
import { UndoList } from "./undo-list.tsx";

/** Actions whose effect on the list can be undone. */
const STOCK_WRITES: ReadonlySet<string> = new Set(["add-stock", "update-stock", "delete-stock"]);

/** Whether a turn changed stocks or files, or may have. */
export const hasChanges = (items: readonly TranscriptItem[]): boolean =>
  items.some(
    (item) =>
      item.type === "tool" &&
      (item.status === "completed" || item.status === "unknown") &&
      // What became of an edit may be unknown, and with it what it changed.
      (item.fileChanges.length > 0 ||
        STOCK_WRITES.has(item.tool) ||
        (item.status === "unknown" && item.kind === "edit")),
  );

/** How many of a run's changes are undone. */
type Undone = { readonly done: number; readonly all: number };

/** The runs for which the server has told this page that everything that can be undone is undone. */
const undoneRuns = createStore<ReadonlyMap<string, Undone>>(new Map());

/** How many undos of each run were answered. A preview that was requested before such an answer is out of date. */
const answered = new Map<string, number>();

/** Remembers the run if something was undone and nothing is left to undo. Otherwise forgets it. */
const noteAnswer = (runId: string, { stocks, files }: UndoAnswer): void => {
  const items = [...stocks, ...files];
  const done = items.filter(({ state }) => state === "done").length;
  const runs = new Map(undoneRuns.get());
  // What could not be undone a moment ago may be possible now, for example because a workspace is back.
  if (done > 0 && !items.some(isOpen)) runs.set(runId, { done, all: items.length });
  else runs.delete(runId);
  undoneRuns.set(runs);
};

/** Requests an undo, or its preview, and remembers the answer for the end of the turn. */
const askUndo = async (runId: string, body: UndoRequest): Promise<UndoAnswer> => {
  const before = answered.get(runId) ?? 0;
  const answer = await requestJson<UndoAnswer>(`/_framework/runs/${runId}/undo`, { method: "POST", body });
  const now = answered.get(runId) ?? 0;
  if (!body.dryRun) answered.set(runId, now + 1);
  if (!body.dryRun || now === before) noteAnswer(runId, answer);
  return answer;
};

/**
 * Asks once what was undone of a run on another device, or before the page was opened, unless `isKnown`: the page knows already.
 * Returns whether the answer is on its way, and a function to call when the person opens the preview, which asks for itself.
 */
const useLooking = (runId: string, isUndone: boolean, isKnown: boolean): readonly [boolean, () => void] => {
  const [isAsked, setAsked] = useState(false);
  const isLooking = isUndone && !isAsked && !isKnown;
  useEffect(() => {
    // If this fails, the button appears, and pressing it asks again.
    const ask = () => askUndo(runId, { dryRun: true }).catch(() => undefined);
    if (isLooking) void ask().then(() => setAsked(true));
  }, [runId, isLooking]);
  return [isLooking, () => setAsked(true)];
};

type UndoChangesProps = { readonly runId: string; readonly isUndone: boolean };

/** The button at the end of a turn, until there is nothing left to undo. `isUndone`: the list says that an undo was asked for. */
export const UndoChanges = ({ runId, isUndone }: UndoChangesProps) => {
  const [isOpen, setOpen] = useState(false);
  const undone = useStore(undoneRuns).get(runId);
  const [isLooking, skipLooking] = useLooking(runId, isUndone, undone !== undefined);
  const say = (words: string) => (
    <p class="context">
      <IconArrowBackUp size={16} stroke={1.75} aria-hidden="true" />
      <span>{words}</span>
    </p>
  );
  if (isLooking) return say("Checking what was undone…");
  const isPartly = undone !== undefined && undone.done < undone.all;
  if (undone && !isPartly && !isOpen) return say("Changes undone");
  return (
    <div>
      {isPartly && say(`${undone.done} of ${undone.all} changes undone`)}
      <Button
        isSmall
        tone="ghost"
        onClick={() => {
          skipLooking();
          setOpen(true);
        }}
      >
        {isPartly ? "See what was not undone" : "Undo changes"}
      </Button>
      {isOpen && <UndoDialog runId={runId} onClose={() => setOpen(false)} />}
    </div>
  );
};

type UndoDialogProps = { readonly runId: string; readonly onClose: () => void };

const UndoDialog = ({ runId, onClose }: UndoDialogProps) => {
  const [shown, setShown] = useState<UndoAnswer>();
  const [problem, setProblem] = useProblem("The changes may not have been undone.");
  const isGone = useIsGone();
  // It begins with the preview.
  const [isWorking, setWorking] = useState(true);
  const ask = useCallback(
    async (body: UndoRequest): Promise<void> => {
      setWorking(true);
      setProblem(undefined);
      try {
        setShown(await askUndo(runId, body));
      } catch (error) {
        // A preview that was closed before it failed has nobody to tell.
        if (!body.dryRun || !isGone()) setProblem(explainProblem(error));
      }
      setWorking(false);
    },
    [runId],
  );
  useEffect(() => void ask({ dryRun: true }), [ask]);
  const open = shown && { stocks: shown.stocks.filter(isOpen), files: shown.files.filter(isOpen) };
  const count = open === undefined ? 0 : open.stocks.length + open.files.length;
  // While it looks for what can be undone, nothing is counted yet.
  const isUndoing = isWorking && count > 0;
  const undo = async (): Promise<void> => {
    if (isWorking || open === undefined || count === 0) return;
    // Only what this list names is undone, even if more could be undone in the meantime.
    await ask({
      dryRun: false,
      only: { stocks: open.stocks.map(({ id }) => id), files: open.files.map(({ path }) => path) },
    });
    // Refreshes the list, and the sums of the stocks shown.
    await currentScreen()?.client.invalidateQueries({ queryKey: ["list-stocks"] });
  };
  return (
    <Dialog
      title="Undo changes"
      size="narrow"
      onClose={onClose}
      footer={
        <>
          {/* Closing the dialog does not stop an undo that has begun. */}
          <Button onClick={onClose}>{isUndoing || (!isWorking && count === 0) ? "Close" : "Cancel"}</Button>
          {/* Shown from the start: coming with the preview, it would appear where Cancel was. */}
          <Button tone="primary" aria-disabled={isWorking || count === 0} onClick={() => void undo()}>
            {isUndoing ? "Undoing…" : "Undo"}
          </Button>
        </>
      }
    >
      <div aria-live="polite">
        {shown === undefined && problem === undefined && <p>Checking what has changed…</p>}
        {shown && <UndoList answer={shown} />}
      </div>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  );
};

const isOpen = ({ state }: UndoStock | UndoFile): boolean => state === "restore";
