/** `npm run db:generate`: SQL migrations from the table definitions. Needs no database. */
import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  schema: [
    "./src/db/turn-tables.ts",
    "./src/db/stock-tables.ts",
    "./src/db/schedules/schedule-tables.ts",
    "./src/db/notices/notice-tables.ts",
    "./src/db/prices/price-tables.ts",
    "./src/auth/auth-tables.ts",
  ],
  out: "./migrations",
});
