CREATE TABLE IF NOT EXISTS `run_marks` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_email` text NOT NULL,
	`thread_id` text NOT NULL,
	`run_id` text NOT NULL,
	`inherited_by` text,
	`is_replaced` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `run_marks_thread` ON `run_marks` (`owner_email`,`thread_id`,`run_id`);