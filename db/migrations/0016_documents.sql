-- The numbers of the words of a chunk and of the headings above it, by file: one index has a separate list for each
-- word of each file.
CREATE FUNCTION chunk_words(heading text, body text, file uuid) RETURNS integer[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN coalesce(
    (
      SELECT array_agg(search_hash(token, file))
      FROM unnest(search_tokens(search_fold(coalesce(heading || ' ', '') || body))) AS token
    ),
    '{}'
  );
END
$$;
--> statement-breakpoint
CREATE TABLE "chunk_vectors" (
	"user_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"model" text NOT NULL,
	"bits" bit varying NOT NULL,
	"vec" "bytea" NOT NULL,
	"scale" real NOT NULL,
	CONSTRAINT "chunk_vectors_user_id_file_id_n_pk" PRIMARY KEY("user_id","file_id","n")
);
--> statement-breakpoint
CREATE TABLE "chunks" (
	"user_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"n" integer NOT NULL,
	"page" integer,
	"heading" text,
	"body" text NOT NULL,
	"tokens" integer NOT NULL,
	"words" integer[] GENERATED ALWAYS AS (chunk_words(heading, body, file_id)) STORED NOT NULL,
	CONSTRAINT "chunks_user_id_file_id_n_pk" PRIMARY KEY("user_id","file_id","n")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"user_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"state" text NOT NULL,
	"pages" integer,
	"chunks" integer DEFAULT 0 NOT NULL,
	"tokens" integer DEFAULT 0 NOT NULL,
	"model" text,
	"reason" text,
	"owner" uuid,
	"lease_until" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "documents_user_id_file_id_pk" PRIMARY KEY("user_id","file_id")
);
--> statement-breakpoint
ALTER TABLE "chunk_vectors" ADD CONSTRAINT "chunk_vectors_user_id_file_id_n_chunks_user_id_file_id_n_fk" FOREIGN KEY ("user_id","file_id","n") REFERENCES "public"."chunks"("user_id","file_id","n") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chunks" ADD CONSTRAINT "chunks_user_id_file_id_documents_user_id_file_id_fk" FOREIGN KEY ("user_id","file_id") REFERENCES "public"."documents"("user_id","file_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "documents" ADD CONSTRAINT "documents_user_id_file_id_files_user_id_id_fk" FOREIGN KEY ("user_id","file_id") REFERENCES "public"."files"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chunks_words" ON "chunks" USING gin ("words");--> statement-breakpoint
CREATE INDEX "documents_queue" ON "documents" USING btree ("created_at") WHERE "documents"."state" in ('queued', 'reading', 'embedding');