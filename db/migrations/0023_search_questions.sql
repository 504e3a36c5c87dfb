-- A question is written without its entry, so that nobody who asks waits for that. The entry is put in when the answer
-- has run for a while, or ends.
CREATE FUNCTION search_put_missing(owner uuid, message uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM search_entries WHERE user_id = owner AND NOT is_title AND id = message) THEN
    RETURN;
  END IF;
  PERFORM search_put(m.user_id, false, m.id, m.convo_id, m.created_at, m.seq, search_text(m.parts))
  FROM messages AS m JOIN convos AS c ON c.user_id = m.user_id AND c.id = m.convo_id
  WHERE m.user_id = owner AND m.id = message AND m.parts <> '[]' AND c.temporary_until IS NULL;
END
$$;
