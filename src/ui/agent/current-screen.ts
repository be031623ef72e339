/** What the agent acts on: the cache, the list and the router of who is signed in now. Another sign-in makes new ones. */
import { type QueryClient, useQueryClient } from "@tanstack/preact-query";
import { useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import type { StockStore } from "../stocks/stock-store.ts";
import { useStockStore } from "../stocks/stock-store-context.ts";

type Screen = {
  readonly client: QueryClient;
  readonly store: StockStore;
  readonly goTo: (url: string) => void;
};

let current: Screen | undefined;

/** The screen as it is now; undefined while nobody is signed in. */
export const currentScreen = (): Screen | undefined => current;

/** Makes what is above the caller the current screen, for as long as the caller is there. Once in the app of a person. */
export const useAsCurrentScreen = (): void => {
  const client = useQueryClient();
  const store = useStockStore();
  const { route } = useLocation();
  useLayoutEffect(() => {
    const screen = { client, store, goTo: route };
    current = screen;
    return () => {
      if (current === screen) current = undefined;
    };
  }, [client, store, route]);
};
