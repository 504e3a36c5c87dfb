ALTER TABLE "factors" ALTER COLUMN "encrypted" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "sign_in_tickets" ALTER COLUMN "user_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "name" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "credential_id" text;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "public_key" text;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "counter" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "transports" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "is_backed_up" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "factors" ADD COLUMN "last_used_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "elevated_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "elevated_by" text;--> statement-breakpoint
ALTER TABLE "sign_in_tickets" ADD COLUMN "purpose" text DEFAULT 'password' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "factors_credential" ON "factors" USING btree ("credential_id");