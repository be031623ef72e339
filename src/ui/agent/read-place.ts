/** Where `navigate` wants the screen to go. The address is built here, from known parts, never taken from the model. */
import type { StocksTab } from "../../contract/navigation.ts";
import { placeUrl, START_PLACE } from "../navigation/stocks-place.ts";

/** The tool's result: what it was called with, checked by the server. */
type Wanted = {
  readonly view: "chat" | "stocks";
  readonly stockId?: string;
  readonly q?: string;
  readonly tab?: StocksTab;
  readonly dialog?: "add" | "edit";
};

/** An address of this app, or undefined when the result cannot be read. */
export const readPlaceUrl = (output: string): string | undefined => {
  let wanted: Wanted;
  try {
    wanted = JSON.parse(output);
  } catch {
    // Cut or not ours: the screen stays where it is.
    return undefined;
  }
  if (wanted.view === "chat") return "/";
  if (wanted.view !== "stocks") return undefined;
  const { stockId, q = "", tab = "all", dialog } = wanted;
  // An add dialog takes the text as what is to be added; a list is searched for it.
  if (dialog === "add") return placeUrl({ ...START_PLACE, tab, dialog, draft: q });
  return placeUrl({
    ...START_PLACE,
    tab,
    q,
    stockId,
    dialog: stockId === undefined ? undefined : (dialog ?? "detail"),
  });
};
