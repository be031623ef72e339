/** The symbol of a row: opens the stock, and is where the row's focus stands. */
import { placeUrl, START_PLACE } from "../../navigation/stocks-place.ts";
import { markedText } from "./marked-text.tsx";
import type { RowProps } from "./row-actions.ts";

/** A link, so that it can also open in another tab. The keys of the list find it by its class. */
export const OpenLink = ({
  stock,
  words,
  isCurrent,
  actions,
}: Pick<RowProps, "stock" | "words" | "isCurrent" | "actions">) => (
  <a
    class="open"
    href={placeUrl({ ...START_PLACE, dialog: "detail", stockId: stock.id })}
    tabIndex={isCurrent ? 0 : -1}
    onClick={(event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      // The router would go to the address as it is, and lose tab, search and filters below the dialog.
      event.preventDefault();
      event.stopPropagation();
      actions.open(stock);
    }}
  >
    {markedText(stock.symbol, words)}
  </a>
);
