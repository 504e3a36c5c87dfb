-- The same entries for less: a function in SQL that is no single expression is planned anew for each statement and
-- started anew for each row, so its query stands where it is needed, in a function whose plans are kept.
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
  INSERT INTO search_entries (user_id, is_title, id, convo_id, written_at, seq, words, body)
  VALUES (
    owner, of_title, entry, convo, search_time(written), place,
    (SELECT array_agg(search_hash(token, owner)) FROM unnest(tokens) AS token), folded
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
