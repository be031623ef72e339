CREATE INDEX IF NOT EXISTS `stock_events_stock` ON `stock_events` (`stock_id`);--> statement-breakpoint
CREATE INDEX IF NOT EXISTS `stocks_trash` ON `stocks` (`deleted_at`) WHERE "stocks"."deleted_at" IS NOT NULL;
