CREATE TABLE "budgets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"scope" text NOT NULL,
	"user_id" uuid,
	"period" text NOT NULL,
	"credits" bigint NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"changed_by" uuid,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "budgets_credits" CHECK ("budgets"."credits" >= 0),
	CONSTRAINT "budgets_whose" CHECK (("budgets"."scope" = 'person') = ("budgets"."user_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "usage_days" (
	"user_id" uuid NOT NULL,
	"day" date NOT NULL,
	"endpoint" text NOT NULL,
	"model" text NOT NULL,
	"kind" text NOT NULL,
	"asks" integer NOT NULL,
	"input" bigint NOT NULL,
	"output" bigint NOT NULL,
	"credits" bigint NOT NULL,
	"estimated" integer NOT NULL,
	CONSTRAINT "usage_days_user_id_day_endpoint_model_kind_pk" PRIMARY KEY("user_id","day","endpoint","model","kind")
);
--> statement-breakpoint
CREATE TABLE "usage_totals" (
	"day" date NOT NULL,
	"endpoint" text NOT NULL,
	"model" text NOT NULL,
	"kind" text NOT NULL,
	"asks" integer NOT NULL,
	"input" bigint NOT NULL,
	"output" bigint NOT NULL,
	"credits" bigint NOT NULL,
	"estimated" integer NOT NULL,
	CONSTRAINT "usage_totals_day_endpoint_model_kind_pk" PRIMARY KEY("day","endpoint","model","kind")
);
--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "budgeted" bigint;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "credits" bigint;--> statement-breakpoint
ALTER TABLE "generations" ADD COLUMN "is_uncounted" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "budgets" ADD CONSTRAINT "budgets_changed_by_users_id_fk" FOREIGN KEY ("changed_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_person" ON "budgets" USING btree ("user_id","period") WHERE "budgets"."user_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "budgets_scope" ON "budgets" USING btree ("scope","period") WHERE "budgets"."user_id" is null;--> statement-breakpoint
CREATE INDEX "usage_days_day" ON "usage_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "generations_uncounted" ON "generations" USING btree ("user_id") WHERE "generations"."is_uncounted" and "generations"."ended_at" is not null;