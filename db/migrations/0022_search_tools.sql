ALTER TABLE "search_entries" ADD COLUMN "said_length" integer;
--> statement-breakpoint
-- The text parts of a message, joined as `textOf` joins them; behind a separator what its tools said, as far as anybody
-- would look for it.
CREATE OR REPLACE FUNCTION search_text(parts jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN parts #>> '{0,type}' = 'text' AND jsonb_array_length(parts) = 1 THEN parts #>> '{0,text}'
    ELSE (
      SELECT CASE WHEN told IS NULL THEN said ELSE concat(said, E'\n\x1e', left(told, 100000)) END
      FROM (
        SELECT
          string_agg(part ->> 'text', '' ORDER BY place) FILTER (WHERE part ->> 'type' = 'text') AS said,
          string_agg(left(part #>> '{call,output}', 20000), E'\n' ORDER BY place)
            FILTER (WHERE part ->> 'type' = 'tool_call' AND part #>> '{call,output}' <> '') AS told
        FROM jsonb_array_elements(parts) WITH ORDINALITY AS listed (part, place)
      ) AS joined
    )
  END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_put(
  owner uuid, of_title boolean, entry uuid, convo uuid, written timestamptz, place bigint, raw text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  folded text := search_fold(raw);
  tokens text[] := search_tokens(folded);
BEGIN
  IF tokens IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO search_entries (user_id, is_title, id, convo_id, written_at, seq, words, body, said_length)
  VALUES (
    owner, of_title, entry, convo, search_time(written), place,
    (SELECT array_agg(search_hash(token, owner)) FROM unnest(tokens) AS token), folded,
    nullif(strpos(folded, E'\x1e'), 0)
  )
  ON CONFLICT DO NOTHING;
  -- A subquery of one value is looked up word by word, whatever the statistics say.
  INSERT INTO search_words (user_id, word, grams)
  SELECT owner, token, (
    SELECT array_agg(DISTINCT search_hash(substr(token, spot, 3), owner)) FROM generate_series(1, length(token) - 2) AS spot
  )
  FROM unnest(tokens) AS token
  WHERE (SELECT true FROM search_words AS known WHERE known.user_id = owner AND known.word = token COLLATE "C") IS NULL
  ON CONFLICT DO NOTHING;
END
$$;
--> statement-breakpoint
-- What tools have said before. Temporary conversations have no entries.
DO $do$
BEGIN
  DELETE FROM search_entries AS e USING messages AS m
  WHERE m.parts @> '[{"type": "tool_call"}]' AND e.user_id = m.user_id AND NOT e.is_title AND e.id = m.id;
  PERFORM search_put(m.user_id, false, m.id, m.convo_id, m.created_at, m.seq, search_text(m.parts))
  FROM messages AS m JOIN convos AS c ON c.user_id = m.user_id AND c.id = m.convo_id
  WHERE m.parts @> '[{"type": "tool_call"}]' AND c.temporary_until IS NULL;
END
$do$;
