CREATE TABLE IF NOT EXISTS `thread_deletions` (
	`session_id` text PRIMARY KEY NOT NULL,
	`owner_email` text NOT NULL,
	`thread_id` text NOT NULL,
	`requested_at_ms` integer NOT NULL
) STRICT;