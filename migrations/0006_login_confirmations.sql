CREATE TABLE IF NOT EXISTS `login_confirmations` (
	`login_id` text PRIMARY KEY NOT NULL,
	`code_hash` text NOT NULL,
	`tries` integer NOT NULL,
	`sent_at_ms` integer NOT NULL,
	`confirmed_at_ms` integer,
	FOREIGN KEY (`login_id`) REFERENCES `logins`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `logins_age` ON `logins` (`created_at_ms`);
