CREATE TABLE "balances" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"credits" bigint DEFAULT 0 NOT NULL,
	"reserved" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "balances_credits" CHECK ("balances"."credits" >= 0),
	CONSTRAINT "balances_reserved" CHECK ("balances"."reserved" >= 0)
);
--> statement-breakpoint
CREATE TABLE "transactions" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "transactions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"convo_id" uuid,
	"generation_id" uuid,
	"token_type" text NOT NULL,
	"model" text,
	"context" text NOT NULL,
	"rate" numeric,
	"raw_amount" bigint NOT NULL,
	"token_value" bigint NOT NULL,
	"is_estimated" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "presets" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"title" text NOT NULL,
	"endpoint" text,
	"endpoint_type" text,
	"model" text,
	"settings" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"order" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "presets_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "user_keys" (
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"sealed" text NOT NULL,
	"expires_at" timestamp with time zone,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_keys_user_id_name_pk" PRIMARY KEY("user_id","name")
);
--> statement-breakpoint
CREATE TABLE "network_bans" (
	"network" text PRIMARY KEY NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "violations" (
	"user_id" uuid NOT NULL,
	"type" text NOT NULL,
	"count" integer NOT NULL,
	"score" integer NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "violations_user_id_type_pk" PRIMARY KEY("user_id","type")
);
--> statement-breakpoint
ALTER TABLE "convos" ADD COLUMN "upstream" jsonb;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "summary" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "summary_tokens" integer;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "upstream" jsonb;--> statement-breakpoint
ALTER TABLE "balances" ADD CONSTRAINT "balances_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "presets" ADD CONSTRAINT "presets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_keys" ADD CONSTRAINT "user_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "violations" ADD CONSTRAINT "violations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transactions_user" ON "transactions" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "transactions_generation" ON "transactions" USING btree ("generation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "presets_default" ON "presets" USING btree ("user_id") WHERE "presets"."is_default";--> statement-breakpoint
CREATE INDEX "user_keys_expiry" ON "user_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "network_bans_until" ON "network_bans" USING btree ("until");