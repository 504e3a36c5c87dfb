DELETE FROM "limits";--> statement-breakpoint
ALTER TABLE "limits" DROP CONSTRAINT "limits_key_window_start_pk";--> statement-breakpoint
ALTER TABLE "limits" DROP COLUMN "window_start";--> statement-breakpoint
ALTER TABLE "limits" DROP COLUMN "count";--> statement-breakpoint
ALTER TABLE "limits" ADD PRIMARY KEY ("key");--> statement-breakpoint
ALTER TABLE "limits" ADD COLUMN "hits" timestamp with time zone[] NOT NULL;
