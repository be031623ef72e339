/** Listings with targets that somebody is to be told of. Their prices are fetched even if nobody looks. */
import * as z from "zod";
import type { OwnerEmail } from "../../contract/ids.ts";
import { parseJson } from "../../contract/parse-json.ts";
import type { Db } from "../db.ts";
import { LISTING, type ListingRow } from "./instruments.ts";

const Owners = z.array(z.string());

/** Live stocks with target notices on, whose owner has not turned these off and is not deleting the account. */
const TOLD_TARGETS = `
  FROM instruments AS i CROSS JOIN stocks AS s ON s.instrument_id = i.id
  LEFT JOIN notice_settings AS n ON n.owner_email = s.owner_email
  LEFT JOIN quotes AS q ON q.instrument_id = i.id
  WHERE s.notify = 1 AND s.deleted_at IS NULL AND s.auto_price = 1 AND coalesce(n.settings->>'$.target', '') <> 'none'
    AND (s.target_low IS NOT NULL OR s.target_high IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM account_deletions WHERE account_deletions.owner_email = s.owner_email)`;

/** A listing with targets, and the owners of the stocks that have them. */
export type TargetListing = ListingRow & { readonly owners: readonly string[] };

/** The listings of a scope that such stocks take prices from, whoever owns them. */
export const targetListings = async ({ $client: d1 }: Db, scope: string, source: string): Promise<TargetListing[]> => {
  const statement = d1.prepare(
    `SELECT ${LISTING}, json_group_array(DISTINCT s.owner_email) AS "owners" ${TOLD_TARGETS}
       AND i.scope = ?1 AND i.source = ?2 GROUP BY i.id`,
  );
  const { results } = await statement.bind(scope, source).all<ListingRow & { readonly owners: string }>();
  return results.map((row) => ({ ...row, owners: Owners.parse(parseJson(row.owners)) }));
};

/** The scopes that have such listings, from `from` up to but not including `before`, each with one owner of such a stock. */
export const scopesWithTargets = async (
  { $client: d1 }: Db,
  from: string,
  before: string,
): Promise<{ readonly scope: string; readonly owner: OwnerEmail }[]> => {
  const statement = d1.prepare(
    `SELECT i.scope, s.owner_email AS "owner" ${TOLD_TARGETS} AND i.scope >= ?1 AND i.scope < ?2 GROUP BY i.scope`,
  );
  return (await statement.bind(from, before).all<{ scope: string; owner: OwnerEmail }>()).results;
};
