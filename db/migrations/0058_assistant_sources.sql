-- expand
ALTER TABLE "assistants" ADD COLUMN "sources" jsonb DEFAULT '[]'::jsonb NOT NULL;