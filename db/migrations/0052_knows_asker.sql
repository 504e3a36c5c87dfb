-- expand
ALTER TABLE "assistants" ADD COLUMN "knows_asker" boolean DEFAULT false NOT NULL;