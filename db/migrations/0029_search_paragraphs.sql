-- What a message says before and after a call stands in paragraphs of its own: without a space in between, the words at
-- a call were one. Messages that are indexed already keep their entries.
CREATE OR REPLACE FUNCTION search_text(parts jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN parts #>> '{0,type}' = 'text' AND jsonb_array_length(parts) = 1 THEN parts #>> '{0,text}'
    ELSE (
      SELECT CASE WHEN told IS NULL THEN said ELSE concat(said, E'\n\x1e', left(told, 100000)) END
      FROM (
        SELECT
          string_agg(CASE part ->> 'type' WHEN 'text' THEN part ->> 'text' ELSE E'\n\n' END, '' ORDER BY place)
            FILTER (WHERE part ->> 'type' IN ('text', 'tool_call')) AS said,
          string_agg(left(part #>> '{call,output}', 20000), E'\n' ORDER BY place)
            FILTER (WHERE part ->> 'type' = 'tool_call' AND part #>> '{call,output}' <> '') AS told
        FROM jsonb_array_elements(parts) WITH ORDINALITY AS listed (part, place)
      ) AS joined
    )
  END
$$;
