/** The app: what all components share, and which screen an address shows. */
import { QueryClientProvider } from "@tanstack/preact-query";
import { render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ErrorBoundary } from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { followOtherTabs, shownPerson } from "../account/person.ts";
import { ChatScreen } from "../agent/panel/agent-dock.tsx";
import { createQueryClient } from "../api/read-action.ts";
import { signedOut } from "../api/request-json.ts";
import { ErrorBoundary as ScreenBoundary } from "../parts/error-screen.tsx";
import { lateCode, lazy, useFetchAhead } from "../parts/lazy.ts";
import { keepInstallOffer } from "../state/install-offer.ts";
import { dropKept } from "../state/kept-cache.ts";
import { useStore } from "../state/store.ts";
import { StocksScreen } from "../stocks/list/stocks-screen.tsx";
import type { ChangedStocks } from "../stocks/store/changed-stocks.ts";
import { StockStore, StockStoreContext } from "../stocks/store/stock-store.ts";
import { Shell } from "./shell.tsx";

/** `person`: whose data the sending tab shows. A tab that shows another person's ignores the message. */
type TabMessage = { readonly person: string | undefined; readonly change: ChangedStocks };

/**
 * Exchanges changes with this browser's other tabs of the same person. Once closed, it still sends: an answer may come, or a toast's
 * "Try again" be pressed, after the person has signed in again, and the list of that sign-in has a channel of its own.
 */
const openTabChannel = (onChange: (change: ChangedStocks) => void) => {
  const channel = new BroadcastChannel("tally.stocks");
  channel.onmessage = ({ data: { person, change } }: MessageEvent<TabMessage>) => {
    if (person === shownPerson()) onChange(change);
  };
  return {
    send: (change: ChangedStocks): void => channel.postMessage({ person: shownPerson(), change } satisfies TabMessage),
    close: (): void => {
      channel.onmessage = null;
    },
  };
};

// The offer comes after the page's `load`, and code of the first paint has run by then; late code may not have.
keepInstallOffer();

const NotFound = lazy(async () => (await import("./not-found.tsx")).NotFound);

const SignInScreen = lazy(async () => (await import("../account/sign-in/sign-in-screen.tsx")).SignInScreen);

const startOffline = lateCode(async () => (await import("./offline/start-offline.ts")).startOffline);

/**
 * When the code for working without a network is fetched, in ms after the first paint; without a network, at once. Later than what else is
 * fetched ahead: a new service worker takes over once the old one has nothing to answer (decision 0202).
 */
const OFFLINE_CODE_MS = 2_500;

/** Everything below `#app`. */
const App = () => {
  const isSignedOut = useStore(signedOut);
  useEffect(followOtherTabs, []);
  useEffect(() => {
    if (isSignedOut) void dropKept();
  }, [isSignedOut]);
  if (!isSignedOut) return <PersonsApp />;
  return (
    <ScreenBoundary isScreen>
      <SignInScreen />
    </ScreenBoundary>
  );
};

/** The app of one person. Its cache is dropped when they are signed out. */
const PersonsApp = () => {
  const [{ client, stocks, channel }] = useState(openApp);
  useEffect(
    () => () => {
      channel.close();
      client.clear();
    },
    [channel, client],
  );
  /** Undefined when this component is gone. */
  const stopOffline = useRef<(() => void) | undefined>(() => {});
  const goOffline = async (): Promise<void> => {
    let { code } = await startOffline.fetch();
    // The network may have come back before the fetch had failed.
    if (code === undefined && navigator.onLine) code = (await startOffline.fetch()).code;
    if (stopOffline.current === undefined) return;
    if (code === undefined) addEventListener("online", again, { once: true });
    stopOffline.current = code?.(client) ?? (() => removeEventListener("online", again));
  };
  const again = (): void => void goOffline();
  useFetchAhead(() => void goOffline(), navigator.onLine ? OFFLINE_CODE_MS : 0);
  useEffect(
    () => () => {
      stopOffline.current?.();
      stopOffline.current = undefined;
    },
    [],
  );
  return (
    <QueryClientProvider client={client}>
      <StockStoreContext.Provider value={stocks}>
        <LocationProvider>
          <ErrorBoundary>
            <Shell>
              <Router>
                <Route path="/stocks" component={StocksScreen} />
                <Route path="/" component={ChatScreen} />
                <Route path="/t/:threadId" component={ChatScreen} />
                <Route default component={NotFound} />
              </Router>
            </Shell>
          </ErrorBoundary>
        </LocationProvider>
      </StockStoreContext.Provider>
    </QueryClientProvider>
  );
};

/** Creates what lives as long as the person is signed in. */
const openApp = () => {
  const client = createQueryClient();
  const channel = openTabChannel((change) => stocks.receive(change));
  const stocks = new StockStore(client, channel.send);
  return { client, stocks, channel };
};

// Here and not in the entry, so that it is in the one file that the first paint needs.
const root = document.getElementById("app");
if (root) render(<App />, root);
