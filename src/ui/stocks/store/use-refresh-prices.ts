/** Asks the source for newer prices when somebody presses for them, within the budget of the key. */
import { useQueryClient } from "@tanstack/preact-query";
import { useState } from "preact/hooks";
import type { ActionOutput } from "../../../contract/action.ts";
import { actionPath } from "../../../contract/action-path.ts";
import { ApiError } from "../../api/api-error.ts";
import { requestJson } from "../../api/request-json.ts";
import { refreshWords, tooSoonWords } from "../../format/refresh-words.ts";
import { errorText } from "./stock-failures.ts";
import { STOCK_LIST_KEY, type StockList } from "./stock-store.ts";

type Refreshing = {
  readonly isBusy: boolean;
  /** Asks for prices of this stock, or of all. Resolves to what happened, in words, or to undefined if one is under way. Never rejects. */
  readonly refresh: (id?: string) => Promise<string | undefined>;
};

export const useRefreshPrices = (): Refreshing => {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const ask = async (id: string | undefined): Promise<string> => {
    const listed = () => {
      const items = client.getQueryData<StockList>(STOCK_LIST_KEY)?.items ?? [];
      return id === undefined ? items : items.filter((stock) => stock.id === id);
    };
    try {
      const outcome = await requestJson<ActionOutput<"refresh-quotes">>(actionPath("refresh-quotes"), {
        method: "POST",
        body: id === undefined ? {} : { ids: [id] },
      });
      // Prices are copied to the stocks when the list is read.
      await Promise.all(["list-stocks", "get-stock"].map((name) => client.invalidateQueries({ queryKey: [name] })));
      return refreshWords(outcome, listed(), Date.now());
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) return tooSoonWords(listed(), Date.now());
      return `Prices were not refreshed. ${errorText(error)}`;
    }
  };
  const refresh = async (id?: string): Promise<string | undefined> => {
    if (isBusy) return undefined;
    setBusy(true);
    try {
      return await ask(id);
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, refresh };
};
