/** The database of a running site, for what no request can bring about within a test: another day, or a notice of the cron. */
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Site } from "./site.ts";

/** How long the site may keep its database to itself, in ms. */
const LOCK_MS = 5_000;

/** Sets one column of a stock. */
export const setStockColumn = (
  { workspaceDir }: Site,
  id: string,
  column: "pending_split" | "last_alert",
  value: unknown,
): void => {
  const dir = join(dirname(workspaceDir), "state/v3/d1/miniflare-D1DatabaseObject");
  const [file = ""] = readdirSync(dir).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  const database = new DatabaseSync(join(dir, file), { timeout: LOCK_MS });
  database.prepare(`UPDATE stocks SET ${column} = ? WHERE id = ?`).run(JSON.stringify(value), id);
  database.close();
};
