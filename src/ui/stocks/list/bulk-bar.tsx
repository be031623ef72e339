import { IconCoin, IconStar, IconStarOff, IconTrash, IconX } from "@tabler/icons-preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { formatCount, formatDecimal, formatQuantity, LOCALE } from "../../format/format-number.ts";
import { useBackStep } from "../../navigation/use-back-step.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogBoundary } from "../../parts/error-screen.tsx";
import { adoptStyles } from "../../parts/late-styles.ts";
import { showToast } from "../../parts/toasts.tsx";
import { selection } from "../../state/selection.ts";
import { PHONE, useMedia } from "../../state/use-media.ts";
import { useStockActions } from "../store/use-stock-actions.ts";
import { CurrencyDialog } from "./currency-dialog.tsx";
import extraStyles from "./list-extras.css";

/** Says at once what is done. If some of it then fails, the toast is replaced by one that counts only what succeeded. */
const tellDone = async (
  stocks: readonly Stock[],
  failing: Promise<ReadonlySet<string>>,
  words: (count: number) => string,
  undo: (done: readonly Stock[]) => void,
): Promise<void> => {
  let isUndone = false;
  const tell = (done: readonly Stock[]): (() => void) =>
    showToast({
      text: words(done.length),
      action: {
        label: "Undo",
        run: () => {
          isUndone = true;
          undo(done);
        },
      },
    });
  const closeToast = tell(stocks);
  const failed = await failing;
  if (failed.size === 0 || isUndone) return;
  closeToast();
  const done = stocks.filter(({ id }) => !failed.has(id));
  if (done.length > 0) tell(done);
};

/** Actions on all selected stocks at once. `onClear` also stops selecting. */
export const BulkBar = ({ stocks, onClear }: { readonly stocks: readonly Stock[]; readonly onClear: () => void }) => {
  adoptStyles(extraStyles);
  const { setWatched, setCurrency, remove } = useStockActions();
  const [asked, ask] = useState<"delete" | "currency">();
  const isNone = stocks.length === 0;
  useBackStep(useMedia(PHONE), onClear);
  // While there are boxes, cards show no stars, so a toast says what changed.
  const watch = (isOn: boolean): void => {
    const changed = stocks.filter(({ watched }) => watched !== isOn);
    if (changed.length === 0) return void showToast({ text: `All are already ${isOn ? "on" : "off"} the watchlist` });
    const words = (count: number): string =>
      `${formatCount(count, "stock", "stocks", LOCALE)} ${isOn ? "added to" : "removed from"} the watchlist`;
    void tellDone(changed, setWatched(changed, isOn), words, (done) => void setWatched(done, !isOn));
  };
  const change = (currency: string): void => {
    const changed = stocks.filter((stock) => stock.currency !== currency);
    if (changed.length === 0) return void showToast({ text: `All are already in ${currency}` });
    const words = (count: number): string =>
      `${formatCount(count, "stock is", "stocks are", LOCALE)} in ${currency} now`;
    void tellDone(changed, setCurrency(changed, currency), words, (done) => {
      for (const [before, group] of Map.groupBy(done, (stock) => stock.currency)) void setCurrency(group, before);
    });
  };
  return (
    <>
      <section class="bulk-bar" aria-label="Selected stocks">
        <p role="status">
          {formatDecimal(String(stocks.length), LOCALE)} <span>selected</span>
        </p>
        <Button class="roomy" isSmall icon={IconStar} aria-label="Watch" disabled={isNone} onClick={() => watch(true)}>
          <span>Watch</span>
        </Button>
        <Button
          class="roomy"
          isSmall
          icon={IconStarOff}
          aria-label="Unwatch"
          disabled={isNone}
          onClick={() => watch(false)}
        >
          <span>Unwatch</span>
        </Button>
        <Button
          class="roomy"
          isSmall
          icon={IconCoin}
          aria-label="Currency"
          disabled={isNone}
          onClick={() => ask("currency")}
        >
          <span>Currency</span>
        </Button>
        <Button
          class="roomy"
          isSmall
          icon={IconTrash}
          aria-label="Delete"
          disabled={isNone}
          onClick={() => ask("delete")}
        >
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
      </section>
      {/* Not within the bar, whose words are in one line. */}
      {asked === "currency" && (
        <DialogBoundary onClose={() => ask(undefined)}>
          <CurrencyDialog
            stocks={stocks}
            onClose={() => ask(undefined)}
            onPick={(currency) => {
              ask(undefined);
              change(currency);
            }}
          />
        </DialogBoundary>
      )}
      {asked === "delete" && (
        <DialogBoundary onClose={() => ask(undefined)}>
          <ConfirmDelete
            stocks={stocks}
            onClose={() => ask(undefined)}
            onConfirm={() => {
              ask(undefined);
              selection.set([]);
              remove(stocks);
            }}
          />
        </DialogBoundary>
      )}
    </>
  );
};

/** How many symbols are named; the rest is counted. */
const MAX_NAMED = 8;

type ConfirmDeleteProps = {
  readonly stocks: readonly Stock[];
  readonly onClose: () => void;
  /** Called when the person agrees. The caller closes the dialog. */
  readonly onConfirm: () => void;
};

/** Asks before several stocks are deleted at once, and names them. */
const ConfirmDelete = ({ stocks, onClose, onConfirm }: ConfirmDeleteProps) => {
  const buttons = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => buttons.current?.querySelector("button")?.focus(), []);
  const count = formatCount(stocks.length, "stock", "stocks", LOCALE);
  const named = stocks.slice(0, MAX_NAMED).map(({ symbol }) => symbol);
  const more = stocks.length - named.length;
  return (
    <Dialog title={`Delete ${count}?`} size="narrow" onClose={onClose}>
      <p>
        {named.join(", ")}
        {more > 0 && ` and ${formatQuantity(String(more), LOCALE)} more`}
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
