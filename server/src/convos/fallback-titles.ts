// Titles of conversations whose model was not asked for one: the beginning of the question.
import type { Db } from '@parley/db/client';
import { cleanText } from '@parley/schema/clean-text';

export interface Untitled {
  userId: string;
  conversationId: string;
  title: string;
}

/** Conversations of one statement, which locks the rows of their users. */
const PER_STATEMENT = 100;

/**
 * Gives the titles to those that have none yet; a later answer may replace them. A crowd whose server stops needs a few
 * statements, not one for each conversation.
 */
export async function giveFallbackTitles(db: Db, untitled: readonly Untitled[]): Promise<void> {
  for (let from = 0; from < untitled.length; from += PER_STATEMENT)
    await titleSome(db, untitled.slice(from, from + PER_STATEMENT));
}

/** Each conversation takes a number of its own from its user's counter, as `nextChange` gives them. */
async function titleSome({ sql }: Db, untitled: readonly Untitled[]): Promise<void> {
  await sql`
    with given as (
      select * from unnest(
        ${untitled.map(({ userId }) => userId)}::uuid[],
        ${untitled.map(({ conversationId }) => conversationId)}::uuid[],
        ${untitled.map(({ title }) => cleanText(title))}::text[]
      ) as given (user_id, id, title)
    ), numbered as (
      select given.*, row_number() over (partition by given.user_id order by given.id) as n
      from given join convos using (user_id, id)
      where convos.title is null and convos.deleted_at is null and convos.temporary_until is null
    ), locked as (
      -- In one order everywhere, so that two servers that stop do not wait for each other.
      select id from users where id in (select user_id from numbered) order by id for update
    ), change as (
      update users set change_seq = change_seq + counted.n
      from (select user_id, max(n) as n from numbered group by user_id) as counted
      where users.id = counted.user_id and users.id in (select id from locked)
      returning users.id, users.change_seq - counted.n as before, pg_notify('parley', 'change:' || users.id)
    )
    update convos set title = numbered.title, titled_at = now(), change_seq = change.before + numbered.n
    from numbered join change on change.id = numbered.user_id
    where convos.user_id = numbered.user_id and convos.id = numbered.id and convos.title is null
      and convos.deleted_at is null`;
}
