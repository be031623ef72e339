CREATE TABLE IF NOT EXISTS `day_costs` (
	`day` text NOT NULL,
	`owner_hash` text NOT NULL,
	`id` text NOT NULL,
	`cost_pico_usd` integer NOT NULL,
	PRIMARY KEY(`day`, `owner_hash`, `id`)
) STRICT, WITHOUT ROWID;
