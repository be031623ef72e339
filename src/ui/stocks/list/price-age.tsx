/** How old a price is, and who said it. */
import type { Stock } from "../../../contract/stock.ts";
import { formatRelativeTime } from "../../format/format-relative-time.ts";
import { LOCALE } from "./locale.ts";

/** Made once: making one takes longer than drawing a row. */
const EXACT_TIME = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });

/** The exact time is in the title. Nothing without a price. */
export const PriceAge = ({
  stock: { lastPriceAt, lastPriceSource },
  now,
  hasSource = false,
  isShort = false,
}: {
  readonly stock: Stock;
  readonly now: Date;
  readonly hasSource?: boolean;
  /** `3d ago` */
  readonly isShort?: boolean;
}) => {
  const { text, iso } = formatRelativeTime(lastPriceAt, now, LOCALE, isShort ? "narrow" : "long");
  if (iso === null) return null;
  return (
    <>
      {hasSource && lastPriceSource !== null && <span class="price-source">{lastPriceSource}, </span>}
      <time dateTime={iso} title={[EXACT_TIME.format(new Date(iso)), lastPriceSource].filter(Boolean).join(", ")}>
        {text}
      </time>
    </>
  );
};
