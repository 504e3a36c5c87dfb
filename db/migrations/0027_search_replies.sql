ALTER TABLE "generations" ADD COLUMN "is_unindexed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "generations_unindexed" ON "generations" USING btree ("ended_at") WHERE "generations"."is_unindexed";--> statement-breakpoint
-- Who ends an answer does not wait for its entry: the trigger leaves it out where the transaction says so.
DROP TRIGGER search_changed_message ON messages;
--> statement-breakpoint
CREATE TRIGGER search_changed_message AFTER UPDATE OF parts ON messages FOR EACH ROW
WHEN (OLD.parts IS DISTINCT FROM NEW.parts AND current_setting('parley.copies_search_entries', true) IS DISTINCT FROM 'on')
EXECUTE FUNCTION search_follow_message();
--> statement-breakpoint
-- Puts the entries of replies that have ended, and those of their questions where they are missing: oldest first, until
-- their texts have `enough` bytes. Returns for how many replies. What another transaction holds is left for the next
-- time, so that this one waits for nobody; the locks on the messages keep changes away until their entries are seen, and
-- the advisory lock keeps the sweep from deleting words.
CREATE FUNCTION search_put_ended(enough bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  ended record;
  message record;
  missed integer;
  done integer := 0;
  size bigint := 0;
BEGIN
  FOR ended IN
    SELECT g.id, g.user_id, g.request_id, g.reply_id, c.temporary_until IS NOT NULL AS is_passing
    FROM generations AS g LEFT JOIN convos AS c ON c.user_id = g.user_id AND c.id = g.convo_id
    WHERE g.is_unindexed ORDER BY g.ended_at LIMIT 100 FOR NO KEY UPDATE OF g SKIP LOCKED
  LOOP
    EXIT WHEN size >= enough;
    CONTINUE WHEN NOT pg_try_advisory_xact_lock_shared(7065541, hashtext(ended.user_id::text));
    SELECT count(*) INTO missed FROM messages
    WHERE user_id = ended.user_id AND id IN (ended.request_id, ended.reply_id);
    FOR message IN
      SELECT id, convo_id, created_at, seq, search_text(parts) AS said FROM messages
      WHERE user_id = ended.user_id AND id IN (ended.request_id, ended.reply_id) FOR SHARE SKIP LOCKED
    LOOP
      missed := missed - 1;
      CONTINUE WHEN ended.is_passing;
      IF message.id = ended.reply_id THEN
        PERFORM search_drop(ended.user_id, false, message.id);
      ELSIF EXISTS (
        SELECT FROM search_entries WHERE user_id = ended.user_id AND NOT is_title AND id = message.id
      ) THEN
        CONTINUE;
      END IF;
      PERFORM search_put(
        ended.user_id, false, message.id, message.convo_id, message.created_at, message.seq, message.said
      );
      size := size + coalesce(octet_length(message.said), 0);
    END LOOP;
    IF missed = 0 THEN
      UPDATE generations SET is_unindexed = false WHERE id = ended.id;
      done := done + 1;
    END IF;
  END LOOP;
  RETURN done;
END
$$;
