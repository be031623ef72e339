CREATE TABLE IF NOT EXISTS `fx` (
	`day` text PRIMARY KEY NOT NULL,
	`rates` text NOT NULL,
	`fetched_at_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `settings` (
	`owner_email` text PRIMARY KEY NOT NULL,
	`base_currency` text,
	CONSTRAINT "settings_base_currency" CHECK(length("settings"."base_currency") BETWEEN 3 AND 3)
) STRICT;
