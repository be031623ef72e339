CREATE TABLE IF NOT EXISTS `undone_runs` (
	`run_id` text PRIMARY KEY NOT NULL,
	`owner_email` text NOT NULL,
	`undone_at_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `undone_runs_newest` ON `undone_runs` (`owner_email`,`undone_at_ms`);