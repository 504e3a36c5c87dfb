CREATE TABLE "prompt_marks" (
	"user_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"prompt_id" uuid NOT NULL,
	"is_favorite" boolean DEFAULT false NOT NULL,
	"uses" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "prompt_marks_user_id_owner_id_prompt_id_pk" PRIMARY KEY("user_id","owner_id","prompt_id")
);
--> statement-breakpoint
CREATE TABLE "prompt_versions" (
	"user_id" uuid NOT NULL,
	"prompt_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "prompt_versions_user_id_prompt_id_n_pk" PRIMARY KEY("user_id","prompt_id","n")
);
--> statement-breakpoint
CREATE TABLE "prompts" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"command" text NOT NULL,
	"title" text NOT NULL,
	"body" text NOT NULL,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"is_shared" boolean DEFAULT false NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "prompts_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "prompt_marks" ADD CONSTRAINT "prompt_marks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_marks" ADD CONSTRAINT "prompt_marks_owner_id_prompt_id_prompts_user_id_id_fk" FOREIGN KEY ("owner_id","prompt_id") REFERENCES "public"."prompts"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompt_versions" ADD CONSTRAINT "prompt_versions_user_id_prompt_id_prompts_user_id_id_fk" FOREIGN KEY ("user_id","prompt_id") REFERENCES "public"."prompts"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "prompt_marks_prompt" ON "prompt_marks" USING btree ("owner_id","prompt_id");--> statement-breakpoint
CREATE UNIQUE INDEX "prompts_command" ON "prompts" USING btree ("user_id","command") WHERE "prompts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "prompts_shared" ON "prompts" USING btree ("title") WHERE "prompts"."is_shared" and "prompts"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "prompts_deleted" ON "prompts" USING btree ("deleted_at") WHERE "prompts"."deleted_at" is not null;