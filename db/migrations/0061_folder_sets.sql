-- expand
ALTER TABLE "folders" ADD COLUMN "set_ids" uuid[] DEFAULT '{}' NOT NULL;