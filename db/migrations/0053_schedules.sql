-- expand
CREATE TABLE "schedule_runs" (
	"user_id" uuid NOT NULL,
	"schedule_id" uuid NOT NULL,
	"slot" timestamp with time zone NOT NULL,
	"generation_id" uuid NOT NULL,
	"convo_id" uuid,
	"state" text NOT NULL,
	"reason" jsonb,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "schedule_runs_user_id_schedule_id_slot_pk" PRIMARY KEY("user_id","schedule_id","slot")
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"text" text NOT NULL,
	"files" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"target" jsonb NOT NULL,
	"folder_id" uuid,
	"convo_id" uuid,
	"cron" text,
	"at" timestamp with time zone,
	"time_zone" text NOT NULL,
	"next_at" timestamp with time zone,
	"state" text DEFAULT 'on' NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"change_seq" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "schedules_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "schedules_seq" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "schedule_runs" ADD CONSTRAINT "schedule_runs_user_id_schedule_id_schedules_user_id_id_fk" FOREIGN KEY ("user_id","schedule_id") REFERENCES "public"."schedules"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "schedule_runs_unwritten" ON "schedule_runs" USING btree ("at") WHERE "schedule_runs"."state" = 'asked' and "schedule_runs"."convo_id" is null;--> statement-breakpoint
CREATE INDEX "schedules_due" ON "schedules" USING btree ("next_at") WHERE "schedules"."state" = 'on';