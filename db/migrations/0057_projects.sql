-- expand
CREATE TABLE "access" (
	"user_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"ref" text NOT NULL,
	"given_to" text NOT NULL,
	"group_id" uuid,
	"person_id" uuid,
	"level" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "access_names_one" CHECK (("access"."given_to" = 'group') = ("access"."group_id" is not null) and ("access"."given_to" = 'user') = ("access"."person_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "folders" ADD COLUMN "edited_by" uuid;--> statement-breakpoint
ALTER TABLE "folders" ADD COLUMN "tools" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "folders" ADD COLUMN "source_owner_id" uuid;--> statement-breakpoint
ALTER TABLE "folders" ADD COLUMN "source_id" uuid;--> statement-breakpoint
ALTER TABLE "access" ADD CONSTRAINT "access_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access" ADD CONSTRAINT "access_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access" ADD CONSTRAINT "access_person_id_users_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "access_once" ON "access" USING btree ("user_id","kind","ref","given_to",coalesce("group_id", "person_id", "user_id"));--> statement-breakpoint
CREATE INDEX "access_person" ON "access" USING btree ("person_id","kind");--> statement-breakpoint
CREATE INDEX "access_group" ON "access" USING btree ("group_id","kind");--> statement-breakpoint
CREATE INDEX "access_everyone" ON "access" USING btree ("kind") WHERE "access"."given_to" = 'everyone';--> statement-breakpoint
CREATE INDEX "folders_source" ON "folders" USING btree ("source_owner_id","source_id","user_id") WHERE "folders"."source_id" is not null;