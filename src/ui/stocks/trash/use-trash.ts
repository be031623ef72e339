/** The person's deleted stocks, a page at a time. */
import { useInfiniteQuery } from "@tanstack/preact-query";
import type { ActionOutput } from "../../../contract/action.ts";
import { readAction } from "../../actions/call-action.ts";
import { TRASH_KEY } from "./trash-key.ts";

/** Stocks a page. */
const PAGE_SIZE = 50;

type Page = ActionOutput<"list-stocks">;

/** Deleted last, shown first. */
export const useTrash = () =>
  useInfiniteQuery<Page, Error, { pages: Page[] }, typeof TRASH_KEY, string | null>({
    queryKey: TRASH_KEY,
    queryFn: ({ signal, pageParam }) =>
      readAction(
        "list-stocks",
        {
          deleted: true,
          sort: "updatedAt",
          order: "desc",
          limit: PAGE_SIZE,
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
        signal,
      ),
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Other screens and the agent fill it as well, and nobody tells of that.
    staleTime: 0,
  });
