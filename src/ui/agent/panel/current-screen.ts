/** What the agent's events act on: the cache, the list and the router of the signed-in person. Each sign-in makes new ones. */
import { type QueryClient, useQueryClient } from "@tanstack/preact-query";
import { useLayoutEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { type StockStore, useStockStore } from "../../stocks/store/stock-store.ts";

type Screen = {
  readonly client: QueryClient;
  readonly store: StockStore;
  readonly goTo: (url: string) => void;
};

let current: Screen | undefined;

/** The current screen; undefined while nobody is signed in. */
export const currentScreen = (): Screen | undefined => current;

/** Makes the caller's surroundings the current screen while it is mounted. Use it once, in the shell. */
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
