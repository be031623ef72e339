/** The dialog about stocks that the address asks for. Loaded when the first one is opened. */
import { useRef } from "preact/hooks";
import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { adoptStyles } from "../../parts/late-styles.ts";
import { useStore } from "../../state/store.ts";
import { ROOM_FOR_STOCK, useMedia } from "../../state/use-media.ts";
import { DetailDialog } from "../detail/detail-dialog.tsx";
import detailStyles from "../detail/stock-detail.css";
import { AddDialog, nameOfDraft } from "./add-dialog.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { continued } from "./kept-forms.ts";
import formStyles from "./stock-form.css";

/** Shows the dialogs about one stock: `detail`, `add` and `edit`. A stock beside the list stays there while it is edited. */
export const StockDialogs = () => {
  adoptStyles(formStyles, detailStyles);
  const {
    place: { dialog, stockId = "", draft },
  } = useStocksPlace();
  const isBeside = useMedia(ROOM_FOR_STOCK);
  const beside = useRef<string>();
  if (dialog === "detail" && isBeside) beside.current = stockId;
  const counts = useStore(continued);
  // The forms' keys reset them when another stock is opened, so that it does not inherit the input.
  const keyOf = (name: string): string => `${name} ${counts[name] ?? 0}`;
  if (dialog === "add") return <AddDialog key={keyOf(nameOfDraft(draft))} />;
  return (
    <>
      {(dialog === "detail" || (isBeside && beside.current === stockId)) && (
        <DetailDialog key={isBeside ? "beside" : "sheet"} id={stockId} isBeside={isBeside} />
      )}
      {dialog === "edit" && <EditDialog key={keyOf(stockId)} id={stockId} />}
    </>
  );
};
