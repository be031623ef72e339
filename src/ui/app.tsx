/** The app: what all components share, and which screen an address shows. */
import { QueryClientProvider } from "@tanstack/preact-query";
import { useEffect, useState } from "preact/hooks";
import { ErrorBoundary } from "preact-iso/lazy";
import { LocationProvider, Route, Router } from "preact-iso/router";
import { createQueryClient } from "./actions/query-client.ts";
import { lazy } from "./parts/lazy.ts";
import { NotFound } from "./shell/not-found.tsx";
import { Shell } from "./shell/shell.tsx";
import { StockStore } from "./stocks/stock-store.ts";
import { StockStoreContext } from "./stocks/stock-store-context.ts";
import { StocksScreen } from "./stocks/stocks-screen.tsx";
import { openTabChannel } from "./stocks/tab-channel.ts";

const ChatScreen = lazy(async () => (await import("./agent/chat-screen.tsx")).ChatScreen);

/** Everything below `#app`. */
export const App = () => {
  const [{ client, stocks, channel }] = useState(openApp);
  useEffect(() => channel.close, [channel]);
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

/** What lives as long as the page. */
const openApp = () => {
  const client = createQueryClient();
  const channel = openTabChannel((change) => stocks.receive(change));
  const stocks = new StockStore(client, channel.send);
  return { client, stocks, channel };
};
