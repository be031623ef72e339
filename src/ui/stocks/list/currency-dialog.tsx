/** Gives all selected stocks one currency, for an import that was read in the wrong one. */
import { useState } from "preact/hooks";
import { DEFAULT_CURRENCY, offeredCurrencies } from "../../../contract/stocks/currency-codes.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { formatCount, LOCALE } from "../../format/format-number.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Select } from "../../parts/select.tsx";

type CurrencyDialogProps = {
  readonly stocks: readonly Stock[];
  readonly onClose: () => void;
  /** The caller closes the dialog. */
  readonly onPick: (currency: string) => void;
};

export const CurrencyDialog = ({ stocks, onClose, onPick }: CurrencyDialogProps) => {
  const [currency, setCurrency] = useState(stocks[0]?.currency ?? DEFAULT_CURRENCY);
  const now = [...new Set(stocks.map((stock) => stock.currency))];
  return (
    <Dialog
      title={`Currency of ${formatCount(stocks.length, "stock", "stocks", LOCALE)}`}
      size="narrow"
      onClose={onClose}
      onSubmit={() => onPick(currency)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button tone="primary" type="submit">
            Change to {currency}
          </Button>
        </>
      }
    >
      <Field
        label="Currency"
        hint={`Now ${now.join(", ")}. Amounts stay as they are and count in this currency. GBX is pence.`}
      >
        {(control) => (
          <Select
            {...control}
            value={currency}
            options={offeredCurrencies(currency).map((code) => [code, code])}
            onPick={setCurrency}
          />
        )}
      </Field>
    </Dialog>
  );
};
