ALTER TABLE "assistants" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "assistants" ADD COLUMN "deletion_id" uuid;