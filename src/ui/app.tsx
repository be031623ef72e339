/** The app: what all components share, and which screen an address shows. */
import { QueryClientProvider } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import { ErrorBoundary } from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { followOtherTabs } from "./account/person.ts";
import { createQueryClient } from "./actions/query-client.ts";
import { signedOut } from "./actions/signed-out.ts";
import { ChatScreen } from "./agent/lazy-agent-views.ts";
import { lazy } from "./parts/lazy.ts";
import { ErrorBoundary as ScreenBoundary } from "./shell/error-screen.tsx";
import { Shell } from "./shell/shell.tsx";
import { useStore } from "./state/use-store.ts";
import { StockStore } from "./stocks/stock-store.ts";
import { StockStoreContext } from "./stocks/stock-store-context.ts";
import { StocksScreen } from "./stocks/stocks-screen.tsx";
import { openTabChannel } from "./stocks/tab-channel.ts";

const NotFound = lazy(async () => (await import("./shell/not-found.tsx")).NotFound);
const SignInScreen = lazy(async () => (await import("./account/sign-in-screen.tsx")).SignInScreen);

/** Everything below `#app`. */
export const App = () => {
  const isSignedOut = useStore(signedOut);
  useEffect(followOtherTabs, []);
  if (!isSignedOut) return <PersonsApp />;
  return (
    <ScreenBoundary isScreen>
      <SignInScreen />
    </ScreenBoundary>
  );
};

/** The app of one person. It goes with its cache when they are signed out. */
const PersonsApp = () => {
  const [{ client, stocks, channel }] = useState(openApp);
  useEffect(
    () => () => {
      channel.close();
      client.clear();
    },
    [channel, client],
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

/** What lives as long as the person is signed in. */
const openApp = () => {
  const client = createQueryClient();
  const channel = openTabChannel((change) => stocks.receive(change));
  const stocks = new StockStore(client, channel.send);
  return { client, stocks, channel };
};
