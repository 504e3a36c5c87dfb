-- expand
CREATE TABLE "skill_files" (
	"user_id" uuid NOT NULL,
	"skill_id" uuid NOT NULL,
	"path" text NOT NULL,
	"file_id" uuid NOT NULL,
	CONSTRAINT "skill_files_user_id_skill_id_path_pk" PRIMARY KEY("user_id","skill_id","path")
);
--> statement-breakpoint
CREATE TABLE "skill_versions" (
	"user_id" uuid NOT NULL,
	"skill_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "skill_versions_user_id_skill_id_n_pk" PRIMARY KEY("user_id","skill_id","n")
);
--> statement-breakpoint
CREATE TABLE "skills" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"body" text NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"is_imported" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	"deletion_id" uuid,
	CONSTRAINT "skills_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "skill_files" ADD CONSTRAINT "skill_files_user_id_skill_id_skills_user_id_id_fk" FOREIGN KEY ("user_id","skill_id") REFERENCES "public"."skills"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skill_files" ADD CONSTRAINT "skill_files_user_id_file_id_files_user_id_id_fk" FOREIGN KEY ("user_id","file_id") REFERENCES "public"."files"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skill_versions" ADD CONSTRAINT "skill_versions_user_id_skill_id_skills_user_id_id_fk" FOREIGN KEY ("user_id","skill_id") REFERENCES "public"."skills"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "skills" ADD CONSTRAINT "skills_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "skill_files_file" ON "skill_files" USING btree ("user_id","file_id");--> statement-breakpoint
CREATE UNIQUE INDEX "skills_name" ON "skills" USING btree ("user_id","name") WHERE "skills"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "skills_shared" ON "skills" USING btree ("name") WHERE "skills"."is_shared" and "skills"."deleted_at" is null;