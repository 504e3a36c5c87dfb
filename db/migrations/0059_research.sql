-- expand
CREATE TABLE "research_notes" (
	"user_id" uuid NOT NULL,
	"reply_id" uuid NOT NULL,
	"step_id" text NOT NULL,
	"n" integer DEFAULT 1 NOT NULL,
	"text" text NOT NULL,
	"source_ids" integer[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "research_notes_user_id_reply_id_step_id_n_pk" PRIMARY KEY("user_id","reply_id","step_id","n")
);
--> statement-breakpoint
CREATE TABLE "research_runs" (
	"user_id" uuid NOT NULL,
	"reply_id" uuid NOT NULL,
	"generation_id" uuid NOT NULL,
	"state" text NOT NULL,
	"ask" jsonb NOT NULL,
	"plan" jsonb,
	"budget" bigint,
	"version" integer DEFAULT 1 NOT NULL,
	"spent" bigint DEFAULT 0 NOT NULL,
	"usage" jsonb,
	"sources" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "research_runs_user_id_reply_id_pk" PRIMARY KEY("user_id","reply_id")
);
--> statement-breakpoint
ALTER TABLE "research_notes" ADD CONSTRAINT "research_notes_user_id_reply_id_research_runs_user_id_reply_id_fk" FOREIGN KEY ("user_id","reply_id") REFERENCES "public"."research_runs"("user_id","reply_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "research_runs" ADD CONSTRAINT "research_runs_user_id_reply_id_messages_user_id_id_fk" FOREIGN KEY ("user_id","reply_id") REFERENCES "public"."messages"("user_id","id") ON DELETE cascade ON UPDATE no action;