/** The dialog about stocks that the address asks for. Loaded when the first one is opened. */
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { AddDialog } from "./add-dialog.tsx";
import { DetailDialog } from "./detail-dialog.tsx";
import { EditDialog } from "./edit-dialog.tsx";

/** Shows `detail`, `add` and `edit`; the other dialogs of the place are not about one stock. */
export const StockDialogs = () => {
  const {
    place: { dialog, stockId = "", draft },
  } = useStocksPlace();
  // Keys: going from one stock to the next must not take over what was typed for the first.
  if (dialog === "add") return <AddDialog key={draft} />;
  if (dialog === "edit") return <EditDialog key={stockId} id={stockId} />;
  if (dialog === "detail") return <DetailDialog key={stockId} id={stockId} />;
  return null;
};
