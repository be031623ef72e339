/** Searches a person's threads: their titles in D1, what was said in them in the object of their search. */
import { foldText, searchWords } from "../contract/fold-text.ts";
import type { OwnerEmail } from "../contract/ids.ts";
import type { FoundThread } from "../contract/thread.ts";
import type { Db } from "../db/db.ts";
import { listTitles } from "../db/list/thread-titles.ts";
import type { Env } from "../env.ts";
import { reach } from "../objects/reach.ts";
import { searchOf } from "../search/search-rpc.ts";
import { threadPage } from "./threads.ts";

/** Most threads that are found. Who looks for one more types another word. */
const MAX_THREADS = 50;

/** Newest first, each with the text around what was found, else with its title. */
export const findThreads = async (env: Env, db: Db, owner: OwnerEmail, query: string): Promise<FoundThread[]> => {
  const { stub } = await searchOf(env.SEARCH, owner);
  const [found, titles] = await Promise.all([reach(async () => await stub.find(query)), listTitles(db, owner)]);
  const matches = new Map<string, string>(titlesWith(titles, searchWords(query)));
  for (const { threadId, text } of found) matches.set(threadId, text);
  if (matches.size === 0) return [];
  const { views } = await threadPage(env, db, owner, {
    after: undefined,
    limit: MAX_THREADS,
    among: [...matches.keys()],
  });
  return views.map((view) => ({ ...view, match: matches.get(view.threadId) ?? view.title }));
};

const titlesWith = (titles: Awaited<ReturnType<typeof listTitles>>, words: readonly string[]): [string, string][] =>
  titles.flatMap(({ threadId, title }) => {
    const folded = foldText(title);
    const isFound = words.length > 0 && words.every((word) => folded.includes(word));
    return isFound ? [[threadId, title]] : [];
  });
