/** The dialog about stocks that the address asks for. Loaded when the first one is opened. */

import { useStocksPlace } from "../../navigation/stocks-place.ts";
import { adoptStyles } from "../../parts/late/late-styles.ts";
import { DetailDialog } from "../detail/detail-dialog.tsx";
import detailStyles from "../detail/stock-detail.css";
import { AddDialog } from "./add-dialog.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import formStyles from "./stock-form.css";

/** Shows the dialogs about one stock: `detail`, `add` and `edit`. */
export const StockDialogs = () => {
  adoptStyles(formStyles, detailStyles);
  const {
    place: { dialog, stockId = "", draft },
  } = useStocksPlace();
  // The keys reset the form when another stock is opened, so that it does not inherit the input.
  if (dialog === "add") return <AddDialog key={draft} />;
  if (dialog === "edit") return <EditDialog key={stockId} id={stockId} />;
  if (dialog === "detail") return <DetailDialog key={stockId} id={stockId} />;
  return null;
};
