/** Where the shown prices come from: the sources ask to be named, with a link, wherever their prices are. */
import { ATTRIBUTIONS } from "../../../contract/prices/attributions.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";

const isKnown = (source: string): source is keyof typeof ATTRIBUTIONS => Object.hasOwn(ATTRIBUTIONS, source);

/** A line for each source; the demo's has nobody to link to. */
export const PriceCredits = ({ stocks }: { readonly stocks: readonly Stock[] }) => {
  const sources = new Set(stocks.flatMap(({ instrument }) => instrument?.source ?? []));
  return (
    <p class="credits">
      {[...sources].filter(isKnown).map((source) => {
        const { text, url } = ATTRIBUTIONS[source];
        return url === null ? (
          <span key={source}>{text}</span>
        ) : (
          <a key={source} href={url} target="_blank" rel="noopener">
            {text}
          </a>
        );
      })}
    </p>
  );
};
