/** Where `navigate` wants the screen to go. The address is built here, from known parts, never taken from the model. */
import { placeUrl, readPlace, START_PLACE } from "../navigation/stocks-place.ts";

/** Parts of the tool's result, and what they are called in the address. */
const PARTS = { tab: "tab", q: "q", stockId: "id", dialog: "dialog" } as const;

/** An address of this app, or undefined when the result cannot be read. */
export const readPlaceUrl = (output: string): string | undefined => {
  const wanted = parse(output);
  if (wanted.view === "chat") return "/";
  if (wanted.view !== "stocks") return undefined;
  const query = new URLSearchParams();
  for (const [part, name] of Object.entries(PARTS)) {
    const value = wanted[part];
    if (typeof value === "string") query.set(name, value);
  }
  // The address's own reader leaves out what it does not know.
  const { tab, q, stockId, dialog } = readPlace(query.toString());
  // An add dialog takes the text as what is to be added; a list is searched for it.
  if (dialog === "add") return placeUrl({ ...START_PLACE, tab, dialog, draft: q });
  if (stockId === undefined || !UUID.test(stockId)) return placeUrl({ ...START_PLACE, tab, q });
  return placeUrl({ ...START_PLACE, tab, q, stockId, dialog: dialog === "edit" ? dialog : "detail" });
};

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

const parse = (output: string): Readonly<Record<string, unknown>> => {
  try {
    const wanted: unknown = JSON.parse(output);
    return typeof wanted === "object" && wanted !== null ? { ...wanted } : {};
  } catch {
    // Cut or not ours: the screen stays where it is.
    return {};
  }
};
