DROP INDEX "search_entries_newest";--> statement-breakpoint
DROP INDEX "search_entries_messages";--> statement-breakpoint
DROP INDEX "search_entries_titles";--> statement-breakpoint
-- Microseconds since 1970.
CREATE FUNCTION search_time(moment timestamptz) RETURNS bigint LANGUAGE sql STABLE STRICT PARALLEL SAFE AS $$
  SELECT (extract(epoch FROM moment) * 1000000)::bigint
$$;
--> statement-breakpoint
-- Written anew rather than updated, which would leave a table twice its size, and in the order it is walked in.
CREATE TEMP TABLE search_undated ON COMMIT DROP AS SELECT * FROM search_entries;
--> statement-breakpoint
TRUNCATE search_entries;
--> statement-breakpoint
ALTER TABLE "search_entries" ADD COLUMN "written_at" bigint NOT NULL;--> statement-breakpoint
INSERT INTO search_entries (user_id, is_title, id, convo_id, written_at, seq, words, body)
SELECT e.user_id, e.is_title, e.id, e.convo_id, search_time(coalesce(messages.created_at, convos.created_at)), e.seq,
  e.words, e.body
FROM search_undated AS e
JOIN convos ON convos.user_id = e.user_id AND convos.id = e.convo_id
LEFT JOIN messages ON NOT e.is_title AND messages.user_id = e.user_id AND messages.id = e.id
ORDER BY e.user_id, e.is_title, 5, e.seq;
--> statement-breakpoint
CREATE INDEX "search_entries_newest" ON "search_entries" USING btree ("user_id","is_title","written_at","seq");--> statement-breakpoint
CREATE INDEX "search_entries_messages" ON "search_entries" USING gin ("words") WHERE not "search_entries"."is_title";--> statement-breakpoint
CREATE INDEX "search_entries_titles" ON "search_entries" USING gin ("words") WHERE "search_entries"."is_title";--> statement-breakpoint
DROP FUNCTION search_put;
--> statement-breakpoint
-- Writes an entry, unless there is one, and the words that its owner used for the first time.
CREATE FUNCTION search_put(
  owner uuid, of_title boolean, entry uuid, convo uuid, written timestamptz, place bigint, raw text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  folded text := search_fold(raw);
  tokens text[] := search_tokens(folded);
BEGIN
  IF tokens IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO search_entries (user_id, is_title, id, convo_id, written_at, seq, words, body)
  VALUES (owner, of_title, entry, convo, search_time(written), place, search_hashes(tokens, owner), folded)
  ON CONFLICT DO NOTHING;
  -- A subquery of one value is looked up word by word, whatever the statistics say.
  INSERT INTO search_words (user_id, word, grams)
  SELECT owner, token, search_grams(token, owner) FROM unnest(tokens) AS token
  WHERE (SELECT true FROM search_words AS known WHERE known.user_id = owner AND known.word = token COLLATE "C") IS NULL
  ON CONFLICT DO NOTHING;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_backfill() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CREATE TEMP TABLE search_found ON COMMIT DROP AS
  SELECT user_id, is_title, id, convo_id, created_at, seq, body, search_tokens(body) AS tokens
  FROM (
    SELECT user_id, false AS is_title, id, convo_id, created_at, seq, search_fold(search_text(parts)) AS body
    FROM messages WHERE parts <> '[]'
    UNION ALL
    SELECT user_id, true, id, id, created_at, change_seq, search_fold(title) FROM convos WHERE title IS NOT NULL
  ) AS texts;
  INSERT INTO search_entries (user_id, is_title, id, convo_id, written_at, seq, words, body)
  SELECT user_id, is_title, id, convo_id, search_time(created_at), seq, search_hashes(tokens, user_id), body
  FROM search_found WHERE tokens IS NOT NULL
  ON CONFLICT DO NOTHING;
  INSERT INTO search_words (user_id, word, grams)
  SELECT user_id, token, search_grams(token, user_id)
  FROM (SELECT DISTINCT user_id, token FROM search_found CROSS JOIN unnest(tokens) AS token) AS used
  ON CONFLICT DO NOTHING;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_follow_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.parts <> '[]' THEN
    PERFORM search_drop(OLD.user_id, false, OLD.id);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM search_put(NEW.user_id, false, NEW.id, NEW.convo_id, NEW.created_at, NEW.seq, search_text(NEW.parts));
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_follow_title() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.title IS NOT NULL THEN
    PERFORM search_drop(OLD.user_id, true, OLD.id);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM search_put(NEW.user_id, true, NEW.id, NEW.id, NEW.created_at, NEW.change_seq, NEW.title);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
ANALYZE search_entries;
