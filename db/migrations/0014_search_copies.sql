-- Whoever copies messages may copy their entries as well, in one statement, instead of having each text read anew: it
-- says so for the rest of its transaction by this setting.
DROP TRIGGER search_new_message ON messages;
--> statement-breakpoint
CREATE TRIGGER search_new_message AFTER INSERT ON messages FOR EACH ROW
WHEN (NEW.parts <> '[]' AND current_setting('parley.copies_search_entries', true) IS DISTINCT FROM 'on')
EXECUTE FUNCTION search_follow_message();
