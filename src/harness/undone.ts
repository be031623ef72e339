/** What a person has undone of earlier turns. The agent is told in its next turn, or it would go on from what is not there any more. */
import type { UndoEffect } from "../contract/undo/undo.ts";
import { fence } from "./model-text.ts";

/** One thing that a turn changed. `label`: a stock's symbol, or a path. `isDone`: false while nobody knows whether it was undone. */
type UndoneItem = {
  readonly kind: "stock" | "file";
  readonly label: string;
  readonly effect: UndoEffect;
  readonly isDone: boolean;
};

/** A turn that was undone, in whole or in part. */
export type UndoneTurn = {
  /** When an undo of it was last tried, in epoch ms: later for each further try. */
  readonly undoneAtMs: number;
  readonly prompt: string;
  readonly items: readonly UndoneItem[];
};

/** Most items that are named. What else was undone can be looked up. */
const MAX_NAMED = 50;

/** How much of the prompt says which turn it was, in UTF-16 units. */
const PROMPT_LENGTH = 120;

/** What the agent is told. The words for one turn stay the same until more of that turn is undone. */
const undoneText = ({ prompt, items }: UndoneTurn): string => {
  const named = items.slice(0, MAX_NAMED).map(itemLine);
  const more = items.length - named.length;
  return [
    `The person has undone changes that you made in answer to ${JSON.stringify(fence(prompt.slice(0, PROMPT_LENGTH)))}:`,
    `<data>${fence([...named, ...(more > 0 ? [`and ${more} more`] : [])].join("\n"))}</data>`,
    "The person may have changed some of it since. Do not make the undone changes again unless they ask for it.",
  ].join("\n");
};

const DONE = {
  stock: {
    remove: "was taken out of the list",
    bring_back: "was put back into the list",
    change_back: "was changed back",
  },
  file: { remove: "was deleted", bring_back: "was restored", change_back: "got its former content back" },
} as const;

const itemLine = ({ kind, label, effect, isDone }: UndoneItem): string => {
  const name = `${kind} ${label === "" ? "with an unknown symbol" : JSON.stringify(label)}`;
  return isDone ? `${name}: ${DONE[kind][effect]}` : `${name}: may have been undone, so look before you rely on it`;
};

/** The texts for what the agent has not been told yet, oldest first. `upToMs`: it has been told what was undone up to this time. */
export const undoneTexts = (turns: readonly UndoneTurn[], upToMs: number): string[] =>
  turns.filter(({ undoneAtMs }) => undoneAtMs > upToMs).map(undoneText);

/** The time up to which the agent has been told, once it is told of these turns. */
export const toldUpToMs = (turns: readonly UndoneTurn[], upToMs: number): number =>
  Math.max(upToMs, ...turns.map(({ undoneAtMs }) => undoneAtMs));
