/** The place on `/stocks` as state: what a component reads, and the one way it is changed. */

import { useCallback, useMemo } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { placeUrl, readPlace, START_PLACE, type StocksPlace } from "./stocks-place.ts";

/** `replace` changes the place without a step for Back: for typing and for closing what was opened by a link. */
type Go = (change: Partial<StocksPlace>, options?: { readonly replace?: boolean }) => void;

/** State of a step that opening a dialog has made: closing it is the step back, which leaves nothing for Back to reopen. */
const DIALOG_STEP = { isDialogStep: true } as const;

/** Puts a search into the address that is typed and not there yet; undefined when there is none. */
export const putTyped: { current: (() => void) | undefined } = { current: undefined };

let isSteppingBack = false;

/** One step, however often it is asked for before it is made. */
const stepBack = (): void => {
  if (isSteppingBack) return;
  isSteppingBack = true;
  addEventListener("popstate", () => (isSteppingBack = false), { once: true });
  history.back();
};

/** The place and how to go on from it. Also usable off `/stocks`: going then starts from the list without a filter. */
export const useStocksPlace = (): {
  readonly place: StocksPlace;
  readonly go: Go;
  /** Back to where it was opened, or to the list when a link opened it. To go elsewhere use `go` alone, not both. */
  readonly closeDialog: () => void;
} => {
  const { url, path, route } = useLocation();
  const place = useMemo(
    () => (path === "/stocks" ? readPlace(url.slice(url.indexOf("?") + 1)) : START_PLACE),
    [url, path],
  );
  const go = useCallback<Go>(
    (change, { replace = false } = {}) => {
      // Whoever comes back to the step that is left finds what was typed there.
      if (!replace) putTyped.current?.();
      // From the address and not from the render: two changes in a row must both count.
      const isHere = location.pathname === "/stocks";
      const now = isHere ? readPlace(location.search) : START_PLACE;
      const { state } = history;
      route(placeUrl({ ...now, ...change }), replace);
      // The router has moved on and left the step without a state.
      if (replace) history.replaceState(state, "");
      else if (isHere && change.dialog) history.replaceState(DIALOG_STEP, "");
    },
    [route],
  );
  const closeDialog = useCallback(() => {
    if (history.state?.isDialogStep) stepBack();
    else go({ dialog: undefined, stockId: undefined, draft: undefined }, { replace: true });
  }, [go]);
  return { place, go, closeDialog };
};
