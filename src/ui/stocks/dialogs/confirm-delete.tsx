/** Asks before several stocks are deleted at once. */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Stock } from "../../../contract/stock.ts";
import { formatCount } from "../../format/format-count.ts";
import { formatQuantity } from "../../format/format-quantity.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";

/** Symbols that are named before the rest is counted. */
const MAX_NAMED = 8;

type ConfirmDeleteProps = {
  readonly stocks: readonly Stock[];
  readonly onClose: () => void;
  /** The person has agreed; closing is left to the caller. */
  readonly onConfirm: () => void;
};

/** Names and counts what would go. */
export const ConfirmDelete = ({ stocks, onClose, onConfirm }: ConfirmDeleteProps) => {
  const buttons = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => buttons.current?.querySelector("button")?.focus(), []);
  const count = formatCount(stocks.length, "stock", "stocks", navigator.language);
  const named = stocks.slice(0, MAX_NAMED).map(({ symbol }) => symbol);
  const more = stocks.length - named.length;
  return (
    <Dialog title={`Delete ${count}?`} size="narrow" onClose={onClose}>
      <p>
        {named.join(", ")}
        {more > 0 && ` and ${formatQuantity(String(more), navigator.language)} more`}
      </p>
      <p class="muted">They stay in the trash for 30 days, and can be restored until then.</p>
      <div class="dialog-actions" ref={buttons}>
        <Button onClick={onClose}>Cancel</Button>
        <Button tone="danger" onClick={onConfirm}>
          Delete {count}
        </Button>
      </div>
    </Dialog>
  );
};
