-- expand
CREATE TABLE "memories" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"scope" text DEFAULT '' NOT NULL,
	"text" text NOT NULL,
	"source" text DEFAULT 'person' NOT NULL,
	"convo_id" uuid,
	"message_id" uuid,
	"uses" integer DEFAULT 0 NOT NULL,
	"used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memories_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "convos" ADD COLUMN "origin" text;--> statement-breakpoint
ALTER TABLE "memories" ADD CONSTRAINT "memories_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "memories_shown" ON "memories" USING btree ("user_id","scope","used_at");--> statement-breakpoint
CREATE UNIQUE INDEX "memories_text" ON "memories" USING btree ("user_id","scope",lower("text"));