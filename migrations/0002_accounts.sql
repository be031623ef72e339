CREATE TABLE IF NOT EXISTS `account_deletions` (
	`owner_email` text PRIMARY KEY NOT NULL,
	`requested_at_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text,
	`status` text NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`inviter_id` text NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`inviter_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `invitations_organization` ON `invitations` (`organization_id`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `invitations_email` ON `invitations` (`email`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `invitations_inviter` ON `invitations` (`inviter_id`);--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `logins` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`token` text NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	`ip_address` text,
	`user_agent` text,
	`active_organization_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `logins_token_unique` ON `logins` (`token`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `logins_user` ON `logins` (`user_id`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `logins_expiry` ON `logins` (`expires_at_ms`);--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `members` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `members_once` ON `members` (`organization_id`,`user_id`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `members_user` ON `members` (`user_id`);--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`logo` text,
	`metadata` text,
	`created_at_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `organizations_slug_unique` ON `organizations` (`slug`);--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `sign_in_attempts` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`window_end_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `sign_in_attempts_end` ON `sign_in_attempts` (`window_end_ms`);--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `sign_in_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`identifier` text NOT NULL,
	`value` text NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `sign_in_codes_identifier` ON `sign_in_codes` (`identifier`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `sign_in_codes_expiry` ON `sign_in_codes` (`expires_at_ms`);--> statement-breakpoint
CREATE TABLE IF NOT EXISTS `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_verified` integer NOT NULL,
	`image` text,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX IF NOT EXISTS `users_email_unique` ON `users` (`email`);