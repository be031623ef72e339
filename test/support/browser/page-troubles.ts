/** What no page of this app may do: errors in the console or thrown, a breach of the CSP, a request to anybody else. */
import type { BrowserContext } from "playwright-core";

/** Notes everything that goes wrong in any tab of the context, oldest first, one line each. */
export const watchTroubles = (context: BrowserContext, origin: string): readonly string[] => {
  const troubles: string[] = [];
  // Chromium reports each breach of the CSP as a console error that names the directive.
  context.on("console", (message) => {
    if (message.type() !== "error") return;
    troubles.push(`console error: ${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => troubles.push(`page error: ${error.error().stack ?? error.error().message}`));
  context.on("request", (request) => {
    if (isForeign(request.url(), origin)) troubles.push(`request to another origin: ${request.url()}`);
  });
  context.on("page", (page) => {
    page.on("crash", () => troubles.push(`crash: ${page.url()}`));
    page.on("websocket", (socket) => {
      if (isForeign(socket.url().replace(/^ws/, "http"), origin)) {
        troubles.push(`request to another origin: ${socket.url()}`);
      }
    });
  });
  return troubles;
};

/** `data:` and `blob:` stay in the page. */
const isForeign = (url: string, origin: string): boolean => /^https?:/.test(url) && new URL(url).origin !== origin;
