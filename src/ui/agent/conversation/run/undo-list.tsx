/** What an undo does to each stock and file, or why it leaves one alone. */
import type { UndoAnswer, UndoFile, UndoStock } from "../../../../contract/undo/undo.ts";
import { ForeignText } from "../../permission/foreign-text.tsx";

/** Items of a preview, or of what was undone. */
export const UndoList = ({ answer: { stocks, files, commands, schedules } }: { readonly answer: UndoAnswer }) => (
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
  if (reason === "taken" && effect === "change_back") return "stays: another stock has its earlier symbol now";
  return reason === null ? does : REASONS[reason];
};

const STOCK_EFFECTS = {
  remove: ["goes to the trash", "went to the trash"],
  bring_back: ["comes back from the trash", "came back from the trash"],
  change_back: ["gets its earlier values back", "got its earlier values back"],
} as const;

const FILE_EFFECTS = {
  remove: ["will be deleted", "was deleted"],
  bring_back: ["will be restored", "was restored"],
  change_back: ["gets its earlier content back", "got its earlier content back"],
} as const;

const REASONS = {
  changed: "stays: it has been changed since",
  taken: "stays deleted: another stock has this symbol now",
  full: "stays deleted: your list is full",
  elsewhere: "stays: the agent works in another directory now",
  unreachable: "stays: the workspace cannot be reached now",
  purged: "cannot be undone: it was permanently deleted",
  too_large: "cannot be undone: it was too large to keep, over 1 MB",
  not_kept: "cannot be undone: its earlier content was not kept",
} as const;
