ALTER TABLE "convos" ADD COLUMN "runs_left" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "convos" ADD COLUMN "columns" jsonb;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "group_id" uuid;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "is_chosen" boolean;--> statement-breakpoint
CREATE INDEX "messages_chosen" ON "messages" USING btree ("user_id") WHERE "messages"."is_chosen" is not null;