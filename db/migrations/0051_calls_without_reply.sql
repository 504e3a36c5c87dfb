-- Calls that write no reply name none: of a program no conversation either. Earlier rows keep their own id there.
ALTER TABLE "generations" ALTER COLUMN "convo_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "generations" ALTER COLUMN "request_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "generations" ALTER COLUMN "reply_id" DROP NOT NULL;--> statement-breakpoint
-- Not validated: every earlier row has all three, and a scan would hold up the table.
ALTER TABLE "generations" ADD CONSTRAINT "generations_of_reply" CHECK ("generations"."kind" in ('api', 'title', 'summary', 'picture')
        or num_nulls("generations"."convo_id", "generations"."request_id", "generations"."reply_id") = 0) NOT VALID;
