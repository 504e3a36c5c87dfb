ALTER TABLE "prompts" ADD COLUMN "preset_id" uuid;--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "tools" text[] DEFAULT '{}' NOT NULL;