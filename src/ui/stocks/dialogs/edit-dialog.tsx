/** Opens a stock for editing, as soon as it is known. */
import { useRef, useState } from "preact/hooks";
import type { Stock } from "../../../contract/stock.ts";
import { useStocksPlace } from "../../navigation/use-stocks-place.ts";
import { EditForm } from "./edit-form.tsx";
import { takeKeptForm } from "./kept-forms.ts";
import { UnknownStock } from "./unknown-stock.tsx";
import { useOpenStock } from "./use-open-stock.ts";

/** The form follows the stock until something is typed; from then on it stays on the version that was seen. */
export const EditDialog = ({ id }: { readonly id: string }) => {
  const { closeDialog } = useStocksPlace();
  const [kept] = useState(() => takeKeptForm(id));
  const { stock, isMissing, error, retry } = useOpenStock(id);
  const touched = useRef<Stock | undefined>(kept?.base);
  const base = touched.current ?? stock;
  if (!base) return <UnknownStock isMissing={isMissing} error={error} onRetry={retry} onClose={closeDialog} />;
  const touch = (): void => {
    touched.current = base;
  };
  return <EditForm key={base.version} base={base} start={kept?.values} onTouched={touch} />;
};
