CREATE TABLE IF NOT EXISTS `navigation` (
	`owner_email` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`updated_at` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `stock_events` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_email` text NOT NULL,
	`stock_id` text NOT NULL,
	`version` integer NOT NULL,
	`action` text NOT NULL,
	`via` text NOT NULL,
	`run_id` text,
	`before` text,
	`after` text NOT NULL,
	`at` text NOT NULL,
	FOREIGN KEY (`stock_id`) REFERENCES `stocks`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `stock_events_version` ON `stock_events` (`owner_email`,`stock_id`,`version`);--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `stocks` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_email` text NOT NULL,
	`symbol` text NOT NULL,
	`name` text NOT NULL,
	`exchange` text,
	`isin` text,
	`asset_type` text NOT NULL,
	`currency` text NOT NULL,
	`quantity` text,
	`avg_cost` text,
	`watched` integer NOT NULL,
	`target_low` text,
	`target_high` text,
	`last_price` text,
	`last_price_at` text,
	`last_price_source` text,
	`sector` text,
	`tags` text NOT NULL,
	`notes` text,
	`status` text NOT NULL,
	`market_value` text,
	`cost_basis` text,
	`gain` text,
	`gain_pct` text,
	`target_state` text,
	`distance_to_target_pct` text,
	`search_text` text NOT NULL,
	`name_key` text NOT NULL,
	`tag_keys` text NOT NULL,
	`version` integer NOT NULL,
	`updated_via` text NOT NULL,
	`mutation_id` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted_at` text,
	CONSTRAINT "stocks_symbol" CHECK(length("stocks"."symbol") BETWEEN 1 AND 32),
	CONSTRAINT "stocks_name" CHECK(length("stocks"."name") BETWEEN 1 AND 120),
	CONSTRAINT "stocks_exchange" CHECK(length("stocks"."exchange") BETWEEN 4 AND 4),
	CONSTRAINT "stocks_isin" CHECK(length("stocks"."isin") BETWEEN 12 AND 12),
	CONSTRAINT "stocks_asset_type" CHECK("stocks"."asset_type" IN ('stock', 'etf', 'fund', 'index', 'other')),
	CONSTRAINT "stocks_currency" CHECK(length("stocks"."currency") BETWEEN 3 AND 3),
	CONSTRAINT "stocks_amounts" CHECK(coalesce("stocks"."quantity", '0') NOT GLOB '*[^0-9.]*' AND coalesce("stocks"."avg_cost", '0') NOT GLOB '*[^0-9.]*' AND coalesce("stocks"."target_low", '0') NOT GLOB '*[^0-9.]*' AND coalesce("stocks"."target_high", '0') NOT GLOB '*[^0-9.]*' AND coalesce("stocks"."last_price", '0') NOT GLOB '*[^0-9.]*'),
	CONSTRAINT "stocks_avg_cost" CHECK("stocks"."avg_cost" IS NULL OR coalesce(CAST("stocks"."quantity" AS REAL), 0) > 0),
	CONSTRAINT "stocks_targets" CHECK(coalesce(CAST("stocks"."target_low" AS REAL) > 0, 1) AND coalesce(CAST("stocks"."target_high" AS REAL) > 0, 1) AND coalesce(CAST("stocks"."target_low" AS REAL) <= CAST("stocks"."target_high" AS REAL), 1)),
	CONSTRAINT "stocks_last_price" CHECK(("stocks"."last_price" IS NULL) = ("stocks"."last_price_at" IS NULL) AND ("stocks"."last_price" IS NULL) = ("stocks"."last_price_source" IS NULL)),
	CONSTRAINT "stocks_times" CHECK(("stocks"."last_price_at" IS NULL OR "stocks"."last_price_at" GLOB '[0-9][0-9][0-9][0-9]-??-??T??:??:??.???Z') AND ("stocks"."created_at" IS NULL OR "stocks"."created_at" GLOB '[0-9][0-9][0-9][0-9]-??-??T??:??:??.???Z') AND ("stocks"."updated_at" IS NULL OR "stocks"."updated_at" GLOB '[0-9][0-9][0-9][0-9]-??-??T??:??:??.???Z') AND ("stocks"."deleted_at" IS NULL OR "stocks"."deleted_at" GLOB '[0-9][0-9][0-9][0-9]-??-??T??:??:??.???Z')),
	CONSTRAINT "stocks_sector" CHECK(length("stocks"."sector") BETWEEN 1 AND 60),
	CONSTRAINT "stocks_tags" CHECK(json_valid("stocks"."tags") AND json_valid("stocks"."tag_keys") AND json_array_length("stocks"."tags") <= 20),
	CONSTRAINT "stocks_notes" CHECK(length("stocks"."notes") BETWEEN 1 AND 4000),
	CONSTRAINT "stocks_watched" CHECK("stocks"."watched" IN (0, 1)),
	CONSTRAINT "stocks_status" CHECK("stocks"."status" IN ('holding', 'watching', 'inactive')),
	CONSTRAINT "stocks_target_state" CHECK("stocks"."target_state" IN ('below_low', 'above_high', 'between', 'none')),
	CONSTRAINT "stocks_version" CHECK("stocks"."version" >= 1),
	CONSTRAINT "stocks_updated_via" CHECK("stocks"."updated_via" IN ('screen', 'agent', 'import'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `stocks_live_symbol` ON `stocks` (`owner_email`,`symbol`,CASE WHEN "exchange" IS NULL THEN '' ELSE "exchange" END) WHERE "stocks"."deleted_at" IS NULL;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `stocks_by_symbol` ON `stocks` (`owner_email`,`symbol`,`id`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `stocks_by_change` ON `stocks` (`owner_email`,`deleted_at`,`updated_at`,`id`);