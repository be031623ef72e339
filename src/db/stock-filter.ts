/** A filter of stocks as SQL. However much a search holds, it is one bound parameter: D1 takes at most 100. */
import { type SQL, sql } from "drizzle-orm";
import { searchWords } from "../contract/fold-text.ts";
import type { OwnerEmail } from "../contract/ids.ts";
import { tagKey } from "../contract/stock-draft.ts";
import type { StockFilter } from "../contract/stock-filter.ts";

/** Whether a row of `stocks` is the owner's and passes the filter. */
export const matchesFilter = (owner: OwnerEmail, filter: StockFilter): SQL => {
  const words = searchWords(filter.q ?? "");
  const tags = filter.tags ?? [];
  const conditions = [
    sql`owner_email = ${owner}`,
    filter.deleted === true ? sql`deleted_at IS NOT NULL` : sql`deleted_at IS NULL`,
    filter.status && sql`status = ${filter.status}`,
    filter.currency && sql`currency = ${filter.currency}`,
    filter.watched === undefined ? undefined : sql`watched = ${filter.watched ? 1 : 0}`,
    filter.targetHit === undefined ? undefined : sql`${IS_TARGET_HIT} = ${filter.targetHit ? 1 : 0}`,
    tags.length === 0 ? undefined : everyElement(tags.map(tagKey), HAS_WANTED_TAG),
    words.length === 0 ? undefined : everyElement(words, sql`instr(search_text, wanted.value) > 0`),
  ].filter((condition) => condition !== undefined);
  return sql.join(conditions, sql` AND `);
};

const IS_TARGET_HIT = sql`(coalesce(target_state, '') IN ('below_low', 'above_high'))`;

const HAS_WANTED_TAG = sql`EXISTS (SELECT 1 FROM json_each(tag_keys) AS tag WHERE tag.value = wanted.value)`;

/** Whether a condition on `wanted.value` holds for all elements of a list. */
const everyElement = (list: readonly string[], condition: SQL): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(list)}) AS wanted WHERE NOT ${condition})`;
