CREATE TABLE "blobs" (
	"user_id" uuid NOT NULL,
	"hash" text NOT NULL,
	"store" text NOT NULL,
	"bytes" bigint NOT NULL,
	"state" text NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "blobs_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);
--> statement-breakpoint
CREATE TABLE "file_uses" (
	"user_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"ref" text NOT NULL,
	CONSTRAINT "file_uses_user_id_file_id_kind_ref_pk" PRIMARY KEY("user_id","file_id","kind","ref")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"hash" text,
	"temporary_id" text,
	"name" text NOT NULL,
	"mime" text NOT NULL,
	"bytes" bigint NOT NULL,
	"width" integer,
	"height" integer,
	"context" text NOT NULL,
	"source" text NOT NULL,
	"embedded" boolean DEFAULT false NOT NULL,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "files_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "file_uses" ADD CONSTRAINT "file_uses_user_id_file_id_files_user_id_id_fk" FOREIGN KEY ("user_id","file_id") REFERENCES "public"."files"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "blobs_unsettled" ON "blobs" USING btree ("since") WHERE "blobs"."state" <> 'stored';--> statement-breakpoint
CREATE INDEX "file_uses_by" ON "file_uses" USING btree ("user_id","kind","ref");--> statement-breakpoint
CREATE INDEX "files_newest" ON "files" USING btree ("user_id","updated_at");--> statement-breakpoint
CREATE UNIQUE INDEX "files_temporary" ON "files" USING btree ("user_id","temporary_id") WHERE "files"."temporary_id" is not null;--> statement-breakpoint
CREATE INDEX "files_blob" ON "files" USING btree ("user_id","hash");--> statement-breakpoint
CREATE INDEX "files_expiring" ON "files" USING btree ("expires_at") WHERE "files"."expires_at" is not null;