CREATE TABLE "search_entries" (
	"user_id" uuid NOT NULL,
	"is_title" boolean NOT NULL,
	"id" uuid NOT NULL,
	"convo_id" uuid NOT NULL,
	"seq" bigint NOT NULL,
	"words" integer[] NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "search_entries_user_id_is_title_id_pk" PRIMARY KEY("user_id","is_title","id")
);
--> statement-breakpoint
CREATE TABLE "search_leftovers" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"words" integer[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "search_words" (
	"user_id" uuid NOT NULL,
	"word" text COLLATE "C" NOT NULL,
	"grams" integer[],
	CONSTRAINT "search_words_user_id_word_pk" PRIMARY KEY("user_id","word")
);
--> statement-breakpoint
-- Text as it is compared: compatible forms made one, without accents, vowel signs and invisible characters, in lower
-- case. server/src/search/fold.ts does the same to what is searched for. How lower case is made must not depend on the
-- locale that the database was created with, and the collation that knows all letters has had several names.
DO $do$
DECLARE
  letters text := (
    SELECT format('collate %I', collname) FROM pg_collation
    WHERE collname IN ('pg_c_utf8', 'und-x-icu', 'C.utf8', 'en_US.utf8') AND collencoding IN (-1, 6)
    ORDER BY array_position(ARRAY['pg_c_utf8', 'und-x-icu', 'C.utf8', 'en_US.utf8']::name[], collname) LIMIT 1
  );
BEGIN
  EXECUTE format($format$
    CREATE FUNCTION search_fold(raw text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $fold$
    BEGIN
      raw := replace(replace(replace(raw, E'\n', ' '), E'\t', ' '), E'\r', ' ');
      IF octet_length(raw) = length(raw) THEN
        RETURN lower(raw COLLATE "C");
      END IF;
      -- Most texts need none of it, and it is dear.
      IF raw !~ '^[\u0001-\u007f\u0410-\u0418\u041a-\u0438\u043a-\u044f\u2010\u2012-\u2016\u2018-\u2023\u2190-\u2193\u3001\u3002\u4e00-\u9fff]*$' THEN
        raw := regexp_replace(normalize(raw, NFKD), '[\u00ad\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]+', '', 'g');
        RETURN replace(replace(normalize(lower(raw %1$s), NFC), 'ß', 'ss'), 'ς', 'σ');
      END IF;
      RETURN lower(raw %1$s);
    END
    $fold$;
  $format$, coalesce(letters, ''));
END
$do$;
--> statement-breakpoint
-- Scripts that write without spaces between words, and pictures: of them, neighbours are words, two by two.
CREATE FUNCTION search_is_joined(word text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT word ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3040-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff]'
$$;
--> statement-breakpoint
-- What a run of characters between two separators is found by. A very long one is data, not text: it is cut into
-- pieces that overlap by half, and its end is left out.
CREATE FUNCTION search_pieces(run text) RETURNS SETOF text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  IF search_is_joined(run) THEN
    RETURN QUERY
      SELECT sign || coalesce(lead(sign) OVER (ORDER BY place), '')
      FROM string_to_table(run, NULL) WITH ORDINALITY AS signs (sign, place);
  ELSIF length(run) <= 64 THEN
    RETURN NEXT run;
  ELSE
    RETURN QUERY
      SELECT substr(start, 32 * place + 1, 64)
      FROM (SELECT left(run, 1024) AS start) AS cut, generate_series(0, (length(start) - 33) / 32) AS place;
  END IF;
END
$$;
--> statement-breakpoint
-- The distinct words of a folded text, in their order; null when it has none.
CREATE FUNCTION search_tokens(folded text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  tokens text[];
  longest int;
  has_joined boolean := octet_length(folded) > length(folded) AND search_is_joined(folded);
BEGIN
  IF has_joined THEN
    folded := regexp_replace(folded, '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3040-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff]+)', ' \1 ', 'g');
  END IF;
  SELECT array_agg(DISTINCT run COLLATE "C"), max(length(run)) INTO tokens, longest
  FROM unnest(regexp_split_to_array(folded, '[\u0001-/:-@[-^`{-\u00bf\u00d7\u00f7\u02c2-\u02df\u037e\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u060d\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u1680\u2000-\u206f\u20a0-\u20cf\u2190-\u25ff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u30fb\ufe10-\ufe6f\ufff9-\uffff]+')) AS run WHERE run <> '';
  IF has_joined OR longest > 64 THEN
    SELECT array_agg(DISTINCT piece COLLATE "C") INTO tokens
    FROM unnest(tokens) AS run CROSS JOIN search_pieces(run) AS piece;
  END IF;
  RETURN tokens;
END
$$;
--> statement-breakpoint
CREATE FUNCTION search_hash(word text, owner uuid) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (hashtextextended(word, uuid_hash_extended(owner, 0)) >> 32)::integer
$$;
--> statement-breakpoint
CREATE FUNCTION search_hashes(tokens text[], owner uuid) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(search_hash(token, owner)) FROM unnest(tokens) AS token
$$;
--> statement-breakpoint
CREATE FUNCTION search_grams(word text, owner uuid) RETURNS integer[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(DISTINCT search_hash(substr(word, place, 3), owner)) FROM generate_series(1, length(word) - 2) AS place
$$;
--> statement-breakpoint
-- The text parts of a message, joined as `textOf` joins them.
CREATE FUNCTION search_text(parts jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN parts #>> '{0,type}' = 'text' AND jsonb_array_length(parts) = 1 THEN parts #>> '{0,text}'
    ELSE (
      SELECT string_agg(part ->> 'text', '' ORDER BY place)
      FROM jsonb_array_elements(parts) WITH ORDINALITY AS listed (part, place) WHERE part ->> 'type' = 'text'
    )
  END
$$;
--> statement-breakpoint
-- Writes an entry, unless there is one, and the words that its owner used for the first time.
CREATE FUNCTION search_put(owner uuid, of_title boolean, entry uuid, convo uuid, place bigint, raw text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  folded text := search_fold(raw);
  tokens text[] := search_tokens(folded);
BEGIN
  IF tokens IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO search_entries (user_id, is_title, id, convo_id, seq, words, body)
  VALUES (owner, of_title, entry, convo, place, search_hashes(tokens, owner), folded)
  ON CONFLICT DO NOTHING;
  -- A subquery of one value is looked up word by word, whatever the statistics say.
  INSERT INTO search_words (user_id, word, grams)
  SELECT owner, token, search_grams(token, owner) FROM unnest(tokens) AS token
  WHERE (SELECT true FROM search_words AS known WHERE known.user_id = owner AND known.word = token COLLATE "C") IS NULL
  ON CONFLICT DO NOTHING;
END
$$;
--> statement-breakpoint
-- Removes an entry and remembers its words for the sweep.
CREATE FUNCTION search_drop(owner uuid, of_title boolean, entry uuid) RETURNS void LANGUAGE sql AS $$
  WITH gone AS (
    DELETE FROM search_entries WHERE user_id = owner AND is_title = of_title AND id = entry RETURNING words
  )
  INSERT INTO search_leftovers (user_id, words) SELECT owner, words FROM gone
$$;
--> statement-breakpoint
-- Writes the entries of all messages and titles that have none, as one set: for many rows at once, with the indexes
-- of `words` and `grams` dropped and made again afterwards.
CREATE FUNCTION search_backfill() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  CREATE TEMP TABLE search_found ON COMMIT DROP AS
  SELECT user_id, is_title, id, convo_id, seq, body, search_tokens(body) AS tokens
  FROM (
    SELECT user_id, false AS is_title, id, convo_id, seq, search_fold(search_text(parts)) AS body
    FROM messages WHERE parts <> '[]'
    UNION ALL
    SELECT user_id, true, id, id, change_seq, search_fold(title) FROM convos WHERE title IS NOT NULL
  ) AS texts;
  INSERT INTO search_entries (user_id, is_title, id, convo_id, seq, words, body)
  SELECT user_id, is_title, id, convo_id, seq, search_hashes(tokens, user_id), body
  FROM search_found WHERE tokens IS NOT NULL
  ON CONFLICT DO NOTHING;
  INSERT INTO search_words (user_id, word, grams)
  SELECT user_id, token, search_grams(token, user_id)
  FROM (SELECT DISTINCT user_id, token FROM search_found CROSS JOIN unnest(tokens) AS token) AS used
  ON CONFLICT DO NOTHING;
END
$$;
--> statement-breakpoint
SELECT search_backfill();
--> statement-breakpoint
CREATE INDEX "search_entries_newest" ON "search_entries" USING btree ("user_id","is_title","seq");
--> statement-breakpoint
CREATE INDEX "search_leftovers_user" ON "search_leftovers" USING btree ("user_id","id");
--> statement-breakpoint
CREATE INDEX "search_entries_messages" ON "search_entries" USING gin ("words") WHERE not "search_entries"."is_title";
--> statement-breakpoint
CREATE INDEX "search_entries_titles" ON "search_entries" USING gin ("words") WHERE "search_entries"."is_title";
--> statement-breakpoint
CREATE INDEX "search_words_grams" ON "search_words" USING gin ("grams") WHERE "search_words"."grams" is not null;
--> statement-breakpoint
CREATE FUNCTION search_follow_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.parts <> '[]' THEN
    PERFORM search_drop(OLD.user_id, false, OLD.id);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM search_put(NEW.user_id, false, NEW.id, NEW.convo_id, NEW.seq, search_text(NEW.parts));
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION search_follow_title() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.title IS NOT NULL THEN
    PERFORM search_drop(OLD.user_id, true, OLD.id);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM search_put(NEW.user_id, true, NEW.id, NEW.id, NEW.change_seq, NEW.title);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION search_forget_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM search_entries WHERE user_id = OLD.id;
  DELETE FROM search_words WHERE user_id = OLD.id;
  DELETE FROM search_leftovers WHERE user_id = OLD.id;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER search_new_message AFTER INSERT ON messages FOR EACH ROW
WHEN (NEW.parts <> '[]') EXECUTE FUNCTION search_follow_message();
--> statement-breakpoint
CREATE TRIGGER search_changed_message AFTER UPDATE OF parts ON messages FOR EACH ROW
WHEN (OLD.parts IS DISTINCT FROM NEW.parts) EXECUTE FUNCTION search_follow_message();
--> statement-breakpoint
CREATE TRIGGER search_gone_message AFTER DELETE ON messages FOR EACH ROW
EXECUTE FUNCTION search_follow_message();
--> statement-breakpoint
CREATE TRIGGER search_new_title AFTER INSERT ON convos FOR EACH ROW
WHEN (NEW.title IS NOT NULL) EXECUTE FUNCTION search_follow_title();
--> statement-breakpoint
CREATE TRIGGER search_changed_title AFTER UPDATE OF title ON convos FOR EACH ROW
WHEN (OLD.title IS DISTINCT FROM NEW.title) EXECUTE FUNCTION search_follow_title();
--> statement-breakpoint
CREATE TRIGGER search_gone_title AFTER DELETE ON convos FOR EACH ROW
EXECUTE FUNCTION search_follow_title();
--> statement-breakpoint
CREATE TRIGGER search_gone_user AFTER DELETE ON users FOR EACH ROW
EXECUTE FUNCTION search_forget_user();
