CREATE TABLE IF NOT EXISTS `model_facts` (
	`id` text PRIMARY KEY NOT NULL,
	`facts` text NOT NULL,
	`fetched_at_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `run_costs` (
	`owner_email` text NOT NULL,
	`thread_id` text NOT NULL,
	`run_id` text NOT NULL,
	`cost_pico_usd` integer NOT NULL,
	PRIMARY KEY(`owner_email`, `thread_id`, `run_id`)
) STRICT, WITHOUT ROWID;
