/** Undoes what a turn changed: a preview first, which says what will happen, what conflicts and what cannot be undone. */
import { IconArrowBackUp } from "@tabler/icons-preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { UndoAnswer, UndoFile, UndoStock } from "../../../../contract/undo/undo.ts";
import { requestJson } from "../../../api/request-json.ts";
import { Button } from "../../../parts/button.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { createStore, useStore } from "../../../state/store.ts";
import { STOCK_LIST_KEY } from "../../../stocks/store/stock-store.ts";
import { currentScreen } from "../../panel/current-screen.ts";
import { ForeignText } from "../../permission/foreign-text.tsx";
import type { TranscriptItem } from "../../stream/transcript-item.ts";
import { explainProblem } from "../explain-problem.ts";

/** Actions whose effect on the list can be undone. */
const STOCK_WRITES: ReadonlySet<string> = new Set(["add-stock", "update-stock", "delete-stock"]);

/** Whether a turn changed stocks or files, or may have. */
export const hasChanges = (items: readonly TranscriptItem[]): boolean =>
  items.some(
    (item) =>
      item.type === "tool" &&
      (item.status === "completed" || item.status === "unknown") &&
      (item.fileChanges.length > 0 || STOCK_WRITES.has(item.tool)),
  );

/** How many of a run's changes are undone. */
type Undone = { readonly done: number; readonly all: number };

/** The runs of which the server has told this page that all is undone that can be. */
const undoneRuns = createStore<ReadonlyMap<string, Undone>>(new Map());

const noteAnswer = (runId: string, { stocks, files }: UndoAnswer): void => {
  const items = [...stocks, ...files];
  const done = items.filter(({ state }) => state === "done").length;
  const runs = new Map(undoneRuns.get());
  // What could not be undone a moment ago may be possible now: a workspace is back.
  if (done > 0 && !items.some(isOpen)) runs.set(runId, { done, all: items.length });
  else runs.delete(runId);
  undoneRuns.set(runs);
};

/** The button at the end of a turn, until there is nothing left to undo. */
export const UndoChanges = ({ runId }: { readonly runId: string }) => {
  const [isOpen, setOpen] = useState(false);
  const undone = useStore(undoneRuns).get(runId);
  const say = (words: string) => (
    <p class="context">
      <IconArrowBackUp size={16} stroke={1.75} aria-hidden="true" />
      <span>{words}</span>
    </p>
  );
  const isPartly = undone !== undefined && undone.done < undone.all;
  if (undone && !isPartly && !isOpen) return say("Changes undone");
  return (
    <div>
      {isPartly && say(`${undone.done} of ${undone.all} changes undone`)}
      <Button isSmall tone="ghost" onClick={() => setOpen(true)}>
        {isPartly ? "See what stays" : "Undo changes"}
      </Button>
      {isOpen && <UndoDialog runId={runId} onClose={() => setOpen(false)} />}
    </div>
  );
};

type UndoDialogProps = { readonly runId: string; readonly onClose: () => void };

const UndoDialog = ({ runId, onClose }: UndoDialogProps) => {
  const [shown, setShown] = useState<UndoAnswer>();
  const [problem, setProblem] = useState<string>();
  const [isWorking, setWorking] = useState(false);
  const ask = useCallback(
    async (body: object): Promise<void> => {
      setWorking(true);
      setProblem(undefined);
      try {
        const answer = await requestJson<UndoAnswer>(`/_framework/runs/${runId}/undo`, { method: "POST", body });
        setShown(answer);
        noteAnswer(runId, answer);
      } catch (error) {
        setProblem(explainProblem(error));
      }
      setWorking(false);
    },
    [runId],
  );
  useEffect(() => void ask({ dryRun: true }), [ask]);
  const open = shown && { stocks: shown.stocks.filter(isOpen), files: shown.files.filter(isOpen) };
  const count = open === undefined ? 0 : open.stocks.length + open.files.length;
  const undo = async (): Promise<void> => {
    if (isWorking || open === undefined) return;
    // Only what this list names is undone, even if more could be undone in the meantime.
    await ask({ only: { stocks: open.stocks.map(({ id }) => id), files: open.files.map(({ path }) => path) } });
    await currentScreen()?.client.invalidateQueries({ queryKey: STOCK_LIST_KEY });
  };
  return (
    <Dialog
      title="Undo changes"
      size="narrow"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{count > 0 ? "Cancel" : "Close"}</Button>
          {count > 0 && (
            <Button tone="primary" aria-disabled={isWorking} onClick={() => void undo()}>
              {isWorking ? "Undoing…" : "Undo"}
            </Button>
          )}
        </>
      }
    >
      <div aria-live="polite">
        {shown === undefined && problem === undefined && <p>Looking at what has changed…</p>}
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

const UndoList = ({ answer: { stocks, files, commands, schedules } }: { readonly answer: UndoAnswer }) => (
  <>
    {stocks.length + files.length === 0 ? (
      <p>There is nothing to undo.</p>
    ) : (
      <ul class="undo-list">
        {stocks.map((stock) => (
          <li key={stock.id}>
            <ForeignText text={stock.symbol || "A stock"} /> — {wordsOf(stock, STOCK_EFFECTS)}
          </li>
        ))}
        {files.map((file) => (
          <li key={file.path}>
            <ForeignText text={file.path} isCode /> — {wordsOf(file, FILE_EFFECTS)}
          </li>
        ))}
      </ul>
    )}
    {commands > 0 && <p>{commands === 1 ? "1 command cannot be undone." : `${commands} commands cannot be undone.`}</p>}
    {schedules > 0 && <p>{schedules === 1 ? "1 schedule is not undone." : `${schedules} schedules are not undone.`}</p>}
  </>
);

/** What an undo does to an item, and what it did. */
type EffectWords = Readonly<Record<UndoStock["effect"], readonly [does: string, did: string]>>;

const wordsOf = ({ state, effect, reason }: UndoStock | UndoFile, effects: EffectWords): string => {
  const [does, did] = effects[effect];
  if (state === "done") return did;
  return reason === null ? does : REASONS[reason];
};

const STOCK_EFFECTS = {
  remove: ["goes to the trash", "went to the trash"],
  bring_back: ["comes back from the trash", "came back from the trash"],
  change_back: ["gets its former values back", "has got its former values back"],
} as const;

const FILE_EFFECTS = {
  remove: ["will be deleted", "was deleted"],
  bring_back: ["will be restored", "was restored"],
  change_back: ["gets its former content back", "has got its former content back"],
} as const;

const REASONS = {
  changed: "stays: it has been changed since",
  taken: "stays deleted: another stock has this symbol now",
  full: "stays deleted: your list is full",
  elsewhere: "stays: the agent works in another directory now",
  unreachable: "stays: the workspace cannot be reached now",
  purged: "cannot be undone: it was deleted for good",
  too_large: "cannot be undone: it was too large to keep, over 1 MB",
  not_kept: "cannot be undone: its former content was not kept",
} as const;
