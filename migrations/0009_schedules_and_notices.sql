CREATE TABLE IF NOT EXISTS `schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_email` text NOT NULL,
	`org_id` text,
	`thread_id` text NOT NULL,
	`prompt` text NOT NULL,
	`cron` text,
	`once` text,
	`time_zone` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`due_at_ms` integer,
	`claimed_until_ms` integer NOT NULL,
	`claimed_at_ms` integer NOT NULL,
	`first_claimed_at_ms` integer,
	`claims` integer NOT NULL,
	`expired_in_a_row` integer NOT NULL,
	`last_run_id` text,
	`last_due_at_ms` integer,
	`last_started_at_ms` integer,
	`reported_run_id` text,
	`created_at_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `schedules_owner` ON `schedules` (`owner_email`,`id`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `schedules_due` ON `schedules` (`due_at_ms`,`id`) WHERE "schedules"."state" = 'active';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `schedules_claimed` ON `schedules` (`claimed_at_ms`);--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `notice_settings` (
	`owner_email` text PRIMARY KEY NOT NULL,
	`settings` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `notices` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_email` text NOT NULL,
	`dedup_key` text NOT NULL,
	`kind` text NOT NULL,
	`tag` text NOT NULL,
	`title` text NOT NULL,
	`url` text NOT NULL,
	`state` text NOT NULL,
	`due_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`claimed_until_ms` integer NOT NULL,
	`attempts` integer NOT NULL,
	`devices` text NOT NULL,
	`counted_at_ms` integer,
	`created_at_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `notices_once` ON `notices` (`owner_email`,`dedup_key`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `notices_due` ON `notices` (`due_at_ms`) WHERE "notices"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `notices_counted` ON `notices` (`owner_email`,`counted_at_ms`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `notices_age` ON `notices` (`created_at_ms`);--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `push_devices` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_email` text NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	`label` text NOT NULL,
	`created_at_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `push_devices_endpoint` ON `push_devices` (`endpoint`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `push_devices_owner` ON `push_devices` (`owner_email`,`id`);