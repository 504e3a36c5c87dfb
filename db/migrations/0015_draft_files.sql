ALTER TABLE "drafts" ADD COLUMN "files" jsonb DEFAULT '[]'::jsonb NOT NULL;
