-- Text in scripts without spaces is cut into pairs of signs all at once, not by a call for each run of them. The words
-- are the same, so entries stay as they are.
CREATE OR REPLACE FUNCTION search_tokens(folded text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  tokens text[];
  longest int;
  has_joined boolean := octet_length(folded) > length(folded) AND search_is_joined(folded);
  joined text;
BEGIN
  IF has_joined THEN
    joined := regexp_replace(folded, '[^\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3040-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff]+', ' ', 'g');
    folded := regexp_replace(folded, '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2600-\u27bf\u3005-\u3007\u3021-\u302f\u3031-\u303c\u3040-\u30fa\u30fc-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U0001f000-\U0001faff\U00020000-\U0003ffff]+', ' ', 'g');
  END IF;
  SELECT array_agg(DISTINCT run COLLATE "C"), max(length(run)) INTO tokens, longest
  FROM unnest(regexp_split_to_array(folded, '[\u0001-/:-@[-^`{-\u00bf\u00d7\u00f7\u02c2-\u02df\u037e\u0387\u055a-\u055f\u0589\u058a\u05be\u05c0\u05c3\u05c6\u05f3\u05f4\u060c\u060d\u061b-\u061f\u066a-\u066d\u06d4\u0964\u0965\u1680\u2000-\u206f\u20a0-\u20cf\u2190-\u25ff\u2e00-\u2e7f\u3000-\u3004\u3008-\u3020\u3030\u303d\u30fb\ufe10-\ufe6f\ufff9-\uffff]+')) AS run WHERE run <> '';
  IF longest > 64 THEN
    SELECT array_agg(DISTINCT piece COLLATE "C") INTO tokens
    FROM unnest(tokens) AS run CROSS JOIN search_pieces(run) AS piece;
  END IF;
  IF has_joined THEN
    -- As `search_pieces` cuts a run, but all runs of the text at once: a call for each costs many times as much.
    SELECT array_agg(DISTINCT piece COLLATE "C") INTO tokens
    FROM (
      SELECT unnest(tokens) AS piece
      UNION ALL
      SELECT rtrim(sign || lead(sign, 1, '') OVER (ORDER BY place), ' ')
      FROM string_to_table(joined, NULL) WITH ORDINALITY AS signs (sign, place)
    ) AS pieces
    WHERE piece <> '' AND left(piece, 1) <> ' ';
  END IF;
  RETURN tokens;
END
$$;
