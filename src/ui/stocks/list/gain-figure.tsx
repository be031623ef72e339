/** A gain as amount and per cent: sign and colour say the same. */
import { formatMoney } from "../../format/format-money.ts";
import { formatPercent } from "../../format/format-percent.ts";
import { LOCALE } from "./locale.ts";

/** The class of a gain's colour; none for 0 and for what is unknown. */
const gainClass = (gain: string | null): string | undefined =>
  gain === null || gain === "0" ? undefined : gain.startsWith("-") ? "loss" : "gain";

type GainFigureProps = { readonly gain: string | null; readonly percent: string | null; readonly currency: string };

/** The per cent are small, beside or below the amount. */
export const GainFigure = ({ gain, percent, currency }: GainFigureProps) => (
  <span class={gainClass(gain)}>
    {formatMoney(gain, currency, LOCALE, { isSigned: true })}
    {percent !== null && <small class="percent">{formatPercent(percent, LOCALE)}</small>}
  </span>
);
