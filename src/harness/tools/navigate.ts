/** The tool that moves the person's screen. The server only checks the destination; the app navigates. */
import * as z from "zod";
import { wellFormed } from "../../contract/plain-text.ts";
import { inputTool } from "./input-tool.ts";

/** Destinations in the app. Never a path from the model: the app builds its own from these. */
const Navigation = z.strictObject({
  view: z.enum(["chat", "stocks"]).describe("The screen to show."),
  stockId: z.uuid().optional().describe("Id of the stock to open on the stocks screen."),
  q: z
    .string()
    .overwrite(wellFormed)
    .max(200)
    .optional()
    .describe("Text to search the list for; with dialog add, what to fill in, such as AAPL 10 @ 180."),
  tab: z.enum(["all", "watchlist", "holdings"]).optional().describe("Tab of the stocks screen."),
  dialog: z.enum(["add", "edit"]).optional().describe("Dialog to open on the stocks screen."),
});

/** Moves the app in the tab that started the run. */
export const navigateTool = inputTool({
  name: "navigate",
  kind: "read",
  description:
    "Shows a part of the app on the person's screen: the chat, or the stocks list with a tab, a search, one stock or a dialog open. Changes no data. Use it when the person asks to see or open something.",
  input: Navigation,
  prepare: (place) => ({
    title: `Show ${place.view}`,
    mayBecomeRule: false,
    run: async () => ({ output: JSON.stringify(place), isError: false }),
  }),
});
