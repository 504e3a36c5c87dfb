DROP INDEX "convos_list";--> statement-breakpoint
DROP INDEX "convos_pinned";--> statement-breakpoint
DROP INDEX "deletions_bin";--> statement-breakpoint
CREATE INDEX "convos_list" ON "convos" USING btree ("user_id","is_archived","updated_at","id") WHERE "convos"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "convos_pinned" ON "convos" USING btree ("user_id","updated_at") WHERE "convos"."is_pinned" and "convos"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "deletions_bin" ON "deletions" USING btree ("user_id","created_at","id");