CREATE TABLE "deletions" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"convo_id" uuid,
	"label" text NOT NULL,
	"count" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deletions_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "drafts" (
	"user_id" uuid NOT NULL,
	"key" text NOT NULL,
	"text" text NOT NULL,
	"edited_at" timestamp with time zone NOT NULL,
	"change_seq" bigint NOT NULL,
	CONSTRAINT "drafts_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
DROP INDEX "convos_list";--> statement-breakpoint
DROP INDEX "messages_thread";--> statement-breakpoint
ALTER TABLE "convos" ADD COLUMN "is_pinned" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "convos" ADD COLUMN "is_archived" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "convos" ADD COLUMN "forked_from" jsonb;--> statement-breakpoint
ALTER TABLE "convos" ADD COLUMN "messages_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "moved_from" uuid;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "forgotten_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "deletions" ADD CONSTRAINT "deletions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deletions_bin" ON "deletions" USING btree ("user_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "deletions_age" ON "deletions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "drafts_changes" ON "drafts" USING btree ("user_id","change_seq");--> statement-breakpoint
CREATE INDEX "drafts_emptied" ON "drafts" USING btree ("edited_at") WHERE "drafts"."text" = '';--> statement-breakpoint
CREATE INDEX "convos_pinned" ON "convos" USING btree ("user_id","updated_at" DESC NULLS LAST) WHERE "convos"."is_pinned" and "convos"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "convos_deletion" ON "convos" USING btree ("user_id","deletion_id") WHERE "convos"."deletion_id" is not null;--> statement-breakpoint
CREATE INDEX "convos_list" ON "convos" USING btree ("user_id","is_archived","updated_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "convos"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "messages_thread" ON "messages" USING btree ("user_id","convo_id","seq");