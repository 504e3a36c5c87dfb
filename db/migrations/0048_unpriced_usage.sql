ALTER TABLE "usage_days" ADD COLUMN "unpriced" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_totals" ADD COLUMN "unpriced" integer DEFAULT 0 NOT NULL;