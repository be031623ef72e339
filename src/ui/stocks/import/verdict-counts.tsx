/** How many lines have which outcome. */

import { formatQuantity } from "../../format/format-quantity.ts";
import { Badge } from "../../parts/badge.tsx";
import { LOCALE } from "../list/locale.ts";
import { countLabels, type JudgedRow } from "./row-verdict.ts";

/** One mark for each outcome that occurs. */
export const VerdictCounts = ({ judged }: { readonly judged: readonly JudgedRow[] }) => (
  <ul class="import-counts" aria-label="Lines by outcome">
    {countLabels(judged).map(({ words, tone, count }) => (
      <li key={words}>
        <Badge tone={tone}>
          {formatQuantity(String(count), LOCALE)} {words}
        </Badge>
      </li>
    ))}
  </ul>
);
