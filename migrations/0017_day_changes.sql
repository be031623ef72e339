CREATE TABLE `day_changes` (
	`owner_email` text PRIMARY KEY NOT NULL,
	`day` text NOT NULL,
	`bytes` integer NOT NULL
) STRICT, WITHOUT ROWID;