ALTER TABLE `stocks` ADD `notify` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `stocks` ADD `last_alert` text;--> statement-breakpoint
ALTER TABLE `stocks` ADD `alert_marks` text;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `stocks_notified` ON `stocks` (`instrument_id`) WHERE "stocks"."notify" = 1;