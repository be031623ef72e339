/** What can be done with all selected stocks at once. */
import { IconStar, IconStarOff, IconTrash, IconX } from "@tabler/icons-preact";
import { useState } from "preact/hooks";
import type { Stock } from "../../../contract/stock.ts";
import { formatCount } from "../../format/format-count.ts";
import { Button } from "../../parts/button.tsx";
import { lazy } from "../../parts/lazy.ts";
import { showToast } from "../../parts/toasts.tsx";
import { DialogBoundary } from "../../shell/dialog-boundary.tsx";
import { selection } from "../selection.ts";
import { useStockActions } from "../use-stock-actions.ts";
import { LOCALE } from "./locale.ts";

const ConfirmDelete = lazy(async () => (await import("../dialogs/confirm-delete.tsx")).ConfirmDelete);

/** `onClear` also ends the selecting. */
export const BulkBar = ({ stocks, onClear }: { readonly stocks: readonly Stock[]; readonly onClear: () => void }) => {
  const { setWatched, remove } = useStockActions();
  const [isAsking, ask] = useState(false);
  // The stars are not there to be seen while boxes are.
  const watch = (isOn: boolean): void => {
    const changed = stocks.filter(({ watched }) => watched !== isOn);
    if (changed.length === 0) return void showToast({ text: `All are ${isOn ? "on" : "off"} the watchlist already` });
    setWatched(changed, isOn);
    showToast({
      text: `${formatCount(changed.length, "stock", "stocks", LOCALE)} ${isOn ? "put on" : "taken off"} the watchlist`,
      action: { label: "Undo", run: () => setWatched(changed, !isOn) },
    });
  };
  return (
    <section class="bulk-bar" aria-label="Selected stocks">
      <p role="status">{formatCount(stocks.length, "selected", "selected", LOCALE)}</p>
      <Button class="roomy" isSmall icon={IconStar} aria-label="Watch" onClick={() => watch(true)}>
        <span>Watch</span>
      </Button>
      <Button class="roomy" isSmall icon={IconStarOff} aria-label="Unwatch" onClick={() => watch(false)}>
        <span>Unwatch</span>
      </Button>
      <Button class="roomy" isSmall icon={IconTrash} aria-label="Delete" onClick={() => ask(true)}>
        <span>Delete</span>
      </Button>
      <Button
        tone="ghost"
        isSmall
        icon={IconX}
        label="Clear selection"
        onClick={() => {
          onClear();
          document.querySelector<HTMLElement>("[data-id] .open[tabindex='0']")?.focus({ preventScroll: true });
        }}
      />
      {isAsking && (
        <DialogBoundary onClose={() => ask(false)}>
          <ConfirmDelete
            stocks={stocks}
            onClose={() => ask(false)}
            onConfirm={() => {
              ask(false);
              selection.set([]);
              remove(stocks);
            }}
          />
        </DialogBoundary>
      )}
    </section>
  );
};
