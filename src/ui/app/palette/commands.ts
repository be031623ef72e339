/** What the palette finds: places and actions by their words, stocks and chats by their names. */
import { foldText, searchWords } from "../../../contract/fold-text.ts";
import { rankStocks } from "../../../contract/screen/list-order.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import type { ThreadView } from "../../../contract/thread.ts";
import { foldedStock, searchStocks } from "../../stocks/list/shown/search-stocks.ts";

/** `about` is shown beside the label, and is searched too. `words` are only searched. */
export type Command = {
  readonly id: string;
  readonly label: string;
  readonly about?: string | undefined;
  readonly words?: string | undefined;
  readonly run: () => void;
};

export type CommandGroup = { readonly name: string; readonly commands: readonly Command[] };

/** Most stocks, and most chats, in what was found. */
const MAX_FOUND = 6;

/** Chats that are listed before anything is typed. */
const RECENT_CHATS = 3;

type Sources = {
  readonly actions: readonly Command[];
  readonly settings: readonly Command[];
  readonly stocks: readonly Stock[];
  readonly threads: readonly ThreadView[];
  readonly openStock: (id: string) => void;
  readonly openChat: (threadId: string) => void;
};

/** Whether each word begins a word of the text. Both are folded. */
const begins = (text: string, words: readonly string[]): boolean => {
  const parts = foldText(text).split(/[^\p{L}\p{N}]+/u);
  return words.every((word) => parts.some((part) => part.startsWith(word)));
};

const named = ({ label, about = "", words: others = "" }: Command, words: readonly string[]): boolean =>
  begins(`${label} ${about} ${others}`, words);

/** Groups without commands are left out. */
export const findCommands = (typed: string, sources: Sources): readonly CommandGroup[] => {
  const words = searchWords(typed);
  const { actions, settings, stocks, threads, openStock, openChat } = sources;
  const found =
    words.length === 0 ? [] : rankStocks(searchStocks(stocks, words), words, foldedStock).slice(0, MAX_FOUND);
  const chats = threads.filter(({ title }) => begins(title, words));
  const groups: readonly CommandGroup[] = [
    {
      name: "Stocks",
      commands: found.map(({ id, symbol, name }) => ({
        id: `stock-${id}`,
        label: symbol,
        about: name === symbol ? undefined : name,
        run: () => openStock(id),
      })),
    },
    { name: "Actions", commands: actions.filter((one) => named(one, words)) },
    {
      name: "Chats",
      commands: chats.slice(0, words.length === 0 ? RECENT_CHATS : MAX_FOUND).map(({ threadId, title }) => ({
        id: `chat-${threadId}`,
        label: title,
        run: () => openChat(threadId),
      })),
    },
    { name: "Settings", commands: settings.filter((one) => named(one, words)) },
  ];
  return groups.filter(({ commands }) => commands.length > 0);
};
