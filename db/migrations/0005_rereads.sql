ALTER TABLE "users" ADD COLUMN "presets_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "keys_seq" bigint DEFAULT 0 NOT NULL;