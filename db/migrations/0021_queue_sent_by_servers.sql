ALTER TABLE "queued_asks" ADD COLUMN "target" jsonb;--> statement-breakpoint
ALTER TABLE "queued_asks" ADD COLUMN "held_until" timestamp with time zone;