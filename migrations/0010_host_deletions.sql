CREATE TABLE IF NOT EXISTS `host_deletions` (
	`session_id` text PRIMARY KEY NOT NULL,
	`noted_at_ms` integer NOT NULL,
	`due_at_ms` integer NOT NULL
) STRICT;
