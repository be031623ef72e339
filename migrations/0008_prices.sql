CREATE TABLE IF NOT EXISTS `closes` (
	`instrument_id` text NOT NULL,
	`year` integer NOT NULL,
	`closes` text NOT NULL,
	PRIMARY KEY(`instrument_id`, `year`),
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `instruments` (
	`id` text PRIMARY KEY NOT NULL,
	`scope` text NOT NULL,
	`source` text NOT NULL,
	`symbol` text NOT NULL,
	`mic` text,
	`currency` text NOT NULL,
	`name` text NOT NULL,
	`refused` text,
	`asked_at_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `instruments_scope` ON `instruments` (`scope`,`asked_at_ms`);--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `quotes` (
	`instrument_id` text PRIMARY KEY NOT NULL,
	`price` text,
	`previous_close` text,
	`as_of` text,
	`mark` text NOT NULL,
	`pending` text,
	`fetched_at_ms` integer NOT NULL,
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "quotes_price" CHECK(("quotes"."price" IS NULL) = ("quotes"."as_of" IS NULL)),
	CONSTRAINT "quotes_amounts" CHECK(coalesce("quotes"."price", '0') NOT GLOB '*[^0-9.]*')
) STRICT;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `splits` (
	`instrument_id` text NOT NULL,
	`day` text NOT NULL,
	`numerator` integer NOT NULL,
	`denominator` integer NOT NULL,
	PRIMARY KEY(`instrument_id`, `day`),
	FOREIGN KEY (`instrument_id`) REFERENCES `instruments`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
ALTER TABLE `stocks` ADD `auto_price` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `stocks` ADD `instrument_id` text;--> statement-breakpoint
ALTER TABLE `stocks` ADD `instrument` text;--> statement-breakpoint
ALTER TABLE `stocks` ADD `day_change` text;--> statement-breakpoint
ALTER TABLE `stocks` ADD `day_change_pct` text;--> statement-breakpoint
ALTER TABLE `stocks` ADD `quote_mark` text;--> statement-breakpoint
ALTER TABLE `stocks` ADD `pending_split` text;--> statement-breakpoint
ALTER TABLE `stocks` ADD `split_day` text;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `stocks_linked` ON `stocks` (`owner_email`,`instrument_id`) WHERE "stocks"."instrument_id" IS NOT NULL;--> statement-breakpoint
ALTER TABLE `settings` ADD `quotes_source` text;--> statement-breakpoint
ALTER TABLE `settings` ADD `quotes_key` text;