CREATE TABLE "rag_removals" (
	"user_id" uuid NOT NULL,
	"file_id" uuid NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retry_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "rag_removals_user_id_file_id_pk" PRIMARY KEY("user_id","file_id")
);
--> statement-breakpoint
CREATE INDEX "rag_removals_due" ON "rag_removals" USING btree ("retry_at");--> statement-breakpoint
CREATE FUNCTION queue_rag_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO rag_removals (user_id, file_id) VALUES (OLD.user_id, OLD.file_id)
  ON CONFLICT (user_id, file_id) DO UPDATE SET attempts = 0, retry_at = now();
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER rag_document_deleted AFTER DELETE ON documents FOR EACH ROW
  WHEN (OLD.model = 'rag-api') EXECUTE FUNCTION queue_rag_removal();
