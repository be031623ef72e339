/** Before each worker test file: the migrations that `npm run dev` and a deploy apply, on that file's own D1. */
import { applyD1Migrations, env } from "cloudflare:test";

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
