/**
 * The database of a running site, for what no request can bring about within a test: another day, or a notice of the cron. The file is the
 * site's: a request that writes while we do gets 500 (`SQLITE_BUSY_SNAPSHOT`; the runtime does not wait). So it has to be a site of the test file's own.
 */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { inject } from "vitest";
import type { Site } from "./site.ts";
import type {} from "./start-screens.ts";

/** How long the site may keep its database to itself, in ms. */
const LOCK_MS = 5_000;

/** Sets one column of a stock. */
export const setStockColumn = (site: Site, id: string, column: "pending_split" | "last_alert", value: unknown): void =>
  change(site, `UPDATE stocks SET ${column} = ? WHERE id = ?`, [JSON.stringify(value), id]);

/** A device of this person that subscribed with a key the server does not have any more. Returns its id. */
export const addLapsedDevice = (site: Site, email: string, label: string): string => {
  const id = crypto.randomUUID();
  change(
    site,
    `INSERT INTO push_devices (id, owner_email, endpoint, p256dh, auth, label, created_at_ms, public_key)
     VALUES (?1, ?2, 'https://push.test/' || ?1, 'p', 'a', ?3, 0, 'of before')`,
    [id, email, label],
  );
  return id;
};

const change = ({ url, workspaceDir }: Site, statement: string, values: readonly string[]): void => {
  if (url === inject("site").url)
    throw new Error("Others sign in on this site meanwhile. Take one of the file's own: itOnOwnSite.");
  const dir = join(dirname(workspaceDir), "state/v3/d1/miniflare-D1DatabaseObject");
  const [file = ""] = readdirSync(dir).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  const database = new DatabaseSync(join(dir, file), { timeout: LOCK_MS });
  database.prepare(statement).run(...values);
  database.close();
};
