-- The same results for half of the time: a function in SQL that is no single expression is read and planned anew by each
-- statement that calls it, one in PL/pgSQL once for a connection.
CREATE OR REPLACE FUNCTION search_text(parts jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  IF parts #>> '{0,type}' = 'text' AND jsonb_array_length(parts) = 1 THEN
    RETURN parts #>> '{0,text}';
  END IF;
  RETURN (
    SELECT CASE WHEN told IS NULL THEN said ELSE concat(said, E'\n\x1e', left(told, 100000)) END
    FROM (
      SELECT
        string_agg(CASE part ->> 'type' WHEN 'text' THEN part ->> 'text' ELSE E'\n\n' END, '' ORDER BY place)
          FILTER (WHERE part ->> 'type' IN ('text', 'tool_call')) AS said,
        string_agg(left(part #>> '{call,output}', 20000), E'\n' ORDER BY place)
          FILTER (WHERE part ->> 'type' = 'tool_call' AND part #>> '{call,output}' <> '') AS told
      FROM jsonb_array_elements(parts) WITH ORDINALITY AS listed (part, place)
    ) AS joined
  );
END
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION search_drop(owner uuid, of_title boolean, entry uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH gone AS (
    DELETE FROM search_entries WHERE user_id = owner AND is_title = of_title AND id = entry RETURNING words
  )
  INSERT INTO search_leftovers (user_id, words) SELECT owner, words FROM gone;
END
$$;
