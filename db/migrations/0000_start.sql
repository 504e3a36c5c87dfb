CREATE TABLE "convos" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text,
	"titled_by" text,
	"endpoint" text NOT NULL,
	"endpoint_type" text NOT NULL,
	"model" text,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"running" uuid,
	"change_seq" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	"deletion_id" uuid,
	CONSTRAINT "convos_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "facts" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "early_stops" (
	"user_id" uuid NOT NULL,
	"generation_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "early_stops_user_id_generation_id_pk" PRIMARY KEY("user_id","generation_id")
);
--> statement-breakpoint
CREATE TABLE "generation_events" (
	"generation_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"event" jsonb NOT NULL,
	CONSTRAINT "generation_events_generation_id_seq_pk" PRIMARY KEY("generation_id","seq")
);
--> statement-breakpoint
CREATE TABLE "generations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"convo_id" uuid NOT NULL,
	"request_id" uuid NOT NULL,
	"reply_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"endpoint" text NOT NULL,
	"model" text,
	"owner" uuid NOT NULL,
	"epoch" integer DEFAULT 1 NOT NULL,
	"lease_until" timestamp with time zone NOT NULL,
	"stop_requested" boolean DEFAULT false NOT NULL,
	"ended_at" timestamp with time zone,
	"usage" jsonb,
	"reservation" bigint,
	"reason" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "limits" (
	"key" text NOT NULL,
	"window_start" timestamp with time zone NOT NULL,
	"count" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "limits_key_window_start_pk" PRIMARY KEY("key","window_start")
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"convo_id" uuid NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "messages_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"parent_id" uuid,
	"depth" integer NOT NULL,
	"is_created_by_user" boolean NOT NULL,
	"sender" text NOT NULL,
	"endpoint" text NOT NULL,
	"endpoint_type" text NOT NULL,
	"model" text,
	"parts" jsonb NOT NULL,
	"finish_reason" text,
	"reason" jsonb,
	"unfinished" boolean DEFAULT false NOT NULL,
	"is_edited" boolean DEFAULT false NOT NULL,
	"token_count" integer,
	"usage" jsonb,
	"context" jsonb,
	"generation_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone,
	"deletion_id" uuid,
	CONSTRAINT "messages_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"family" uuid NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"rotated_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"provider" text DEFAULT 'local' NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"username" text,
	"avatar" text,
	"role" text DEFAULT 'USER' NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"password_hash" text,
	"plugins" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"change_seq" bigint DEFAULT 0 NOT NULL,
	"banned_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "convos" ADD CONSTRAINT "convos_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "generations" ADD CONSTRAINT "generations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_user_id_convo_id_convos_user_id_id_fk" FOREIGN KEY ("user_id","convo_id") REFERENCES "public"."convos"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "convos_list" ON "convos" USING btree ("user_id","updated_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "convos"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "convos_changes" ON "convos" USING btree ("user_id","change_seq");--> statement-breakpoint
CREATE INDEX "convos_deleted" ON "convos" USING btree ("deleted_at") WHERE "convos"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "generations_running" ON "generations" USING btree ("lease_until") WHERE "generations"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "generations_reply" ON "generations" USING btree ("user_id","reply_id");--> statement-breakpoint
CREATE INDEX "messages_thread" ON "messages" USING btree ("user_id","convo_id","seq") WHERE "messages"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_family" ON "sessions" USING btree ("family");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email" ON "users" USING btree (lower("email"));