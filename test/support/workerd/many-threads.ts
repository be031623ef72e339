/** Gives somebody threads without a turn: thousands of turns would take minutes. */
import { env } from "cloudflare:test";
import { MAX_THREADS_PER_OWNER } from "../../../src/db/start/start-conditions.ts";

/** Threads `thread-1` and so on, by default as many as one person may have. */
export const addThreads = async (email: string, count = MAX_THREADS_PER_OWNER): Promise<void> => {
  await env.DB.prepare(
    `WITH RECURSIVE nth(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < ?2)
     INSERT INTO threads SELECT ?1, 'thread-' || n, 'A title', 1, 1 FROM nth`,
  )
    .bind(email, count)
    .run();
};
