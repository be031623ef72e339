CREATE TABLE IF NOT EXISTS `harness_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_email` text NOT NULL,
	`org_id` text,
	`thread_id` text NOT NULL,
	`harness` text NOT NULL,
	`workspace_dir` text NOT NULL,
	`permission_mode` text NOT NULL,
	`created_at_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `harness_sessions_thread` ON `harness_sessions` (`owner_email`,`thread_id`,`harness`);--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `idempotency_keys` (
	`owner_email` text NOT NULL,
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`response` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`owner_email`, `scope`, `key`)
) STRICT;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `idempotency_keys_age` ON `idempotency_keys` (`created_at_ms`);--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `runs` (
	`run_id` text PRIMARY KEY NOT NULL,
	`owner_email` text NOT NULL,
	`org_id` text,
	`thread_id` text NOT NULL,
	`session_id` text NOT NULL,
	`status` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`finished_at_ms` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `runs_thread` ON `runs` (`owner_email`,`thread_id`,`created_at_ms`,`run_id`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `runs_live` ON `runs` (`owner_email`,`thread_id`) WHERE "runs"."finished_at_ms" IS NULL;--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `threads` (
	`owner_email` text NOT NULL,
	`thread_id` text NOT NULL,
	`title` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	PRIMARY KEY(`owner_email`, `thread_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `threads_newest` ON `threads` (`owner_email`,`updated_at_ms`,`thread_id`);