DROP INDEX "prompts_deleted";--> statement-breakpoint
ALTER TABLE "prompts" ADD COLUMN "deletion_id" uuid;--> statement-breakpoint
-- Those that were deleted before stand in the trash, too.
UPDATE "prompts" SET "deletion_id" = gen_random_uuid() WHERE "deleted_at" IS NOT NULL;--> statement-breakpoint
INSERT INTO "deletions" ("user_id", "id", "kind", "label", "count", "created_at")
SELECT "user_id", "deletion_id", 'prompt', left("title", 200), 1, "deleted_at" FROM "prompts" WHERE "deletion_id" IS NOT NULL;
