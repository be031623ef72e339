ALTER TABLE `push_devices` ADD `public_key` text;--> statement-breakpoint
ALTER TABLE `push_devices` ADD `refused_since_ms` integer;