/**
 * The page of all parts in all their states, for people and for `parts.test.ts`: `npm run parts`. It is built of the app's own components
 * and styles, knows no server, and is no part of the app's build. Parts that a
 * screen has once are alone: `?part=List`.
 */
import "../../../src/ui/styles/app.css";
import { QueryClientProvider } from "@tanstack/preact-query";
import type { ComponentChildren } from "preact";
import { render } from "preact";
import { LocationProvider } from "preact-iso/router";
import { adoptAgentStyles } from "../../../src/ui/agent/adopt-agent-styles.ts";
import { createQueryClient } from "../../../src/ui/api/read-action.ts";
import { Announcer } from "../../../src/ui/parts/announcer.tsx";
import { Toasts } from "../../../src/ui/parts/toasts.tsx";
import { StockStore, StockStoreContext } from "../../../src/ui/stocks/store/stock-store.ts";
import { ASK_PARTS } from "./ask-parts.tsx";
import { BASIC_PARTS } from "./basic-parts.tsx";
import { CHAT_PARTS } from "./chat-parts.tsx";
import { IMPORT_PARTS } from "./import-parts.tsx";
import { LIST_PARTS } from "./list-parts.tsx";
import type { Part } from "./part.ts";
import { fillCache } from "./samples.ts";

const PARTS: readonly Part[] = [...BASIC_PARTS, ...LIST_PARTS, ...CHAT_PARTS, ...ASK_PARTS, ...IMPORT_PARTS];

const client = createQueryClient();
// Nothing here has a server to ask.
client.setDefaultOptions({ queries: { enabled: false } });
fillCache(client);

const World = ({ children }: { readonly children: ComponentChildren }) => (
  <QueryClientProvider client={client}>
    <StockStoreContext.Provider value={new StockStore(client, () => {})}>
      <LocationProvider>{children}</LocationProvider>
    </StockStoreContext.Provider>
  </QueryClientProvider>
);

const PartView = ({ part: { name, states } }: { readonly part: Part }) => (
  <article style={{ marginBlockEnd: "48px", minWidth: 0 }}>
    <h2>{name}</h2>
    {Object.entries(states).map(([state, State]) => (
      <div key={state} data-part={name} data-state={state} style={{ marginBlock: "24px", minWidth: 0 }}>
        <p class="hint">{state}</p>
        <State />
      </div>
    ))}
  </article>
);

const Page = ({ parts, isWide }: { readonly parts: readonly Part[]; readonly isWide: boolean }) => (
  <main style={{ padding: "16px", maxWidth: isWide ? "none" : "760px", marginInline: "auto" }}>
    <h1>Parts</h1>
    <nav aria-label="Pages">
      <ul style={{ display: "flex", flexWrap: "wrap", gap: "0 16px", padding: 0, listStyle: "none" }}>
        {PARTS.filter(({ isAlone }) => isAlone).map(({ name }) => (
          <li key={name}>
            <a href={`/?part=${encodeURIComponent(name)}`} style={{ display: "inline-block", padding: "12px 8px" }}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
    {parts.map((part) => (
      <PartView key={part.name} part={part} />
    ))}
  </main>
);

adoptAgentStyles();

const asked = new URLSearchParams(location.search).get("part");

const shown = PARTS.filter(({ name, isAlone = false }) => (asked === null ? !isAlone : name === asked));

const root = document.getElementById("app");

document.title = asked ?? "Parts";

if (root) {
  render(
    <World>
      <Page parts={shown} isWide={asked !== null} />
      <Announcer />
      <Toasts />
    </World>,
    root,
  );
}
