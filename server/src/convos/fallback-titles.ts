// Titles of conversations whose model was not asked for one, or gave none: the beginning of the question.
import { repeatUndone, type Db } from '@parley/db/client';
import { cleanText } from '@parley/schema/clean-text';
import type { Endpoint } from '../catalog/endpoint.ts';
import { changeTopic } from './changes.ts';

export interface Untitled {
  userId: string;
  conversationId: string;
  title: string;
}

/** Limits a title, in characters. */
const TITLE_MAX = 40;
/** Limits how much of a question is read, in characters: more than enough, however much of it is space. */
const LOOKED_AT_MAX = 1000;

export function fallbackTitle(question: string): string {
  const text = question.slice(0, LOOKED_AT_MAX).trim().replaceAll(/\s+/g, ' ');
  return text.length <= TITLE_MAX ? text : `${[...text].slice(0, TITLE_MAX).join('')}…`;
}

/** Conversations of one call of `giveMissingTitles`. */
const MISSING_MAX = 1000;

/**
 * Gives them to conversations whose process ended before it could ask for a title, at endpoints that give titles, and
 * returns to how many. It reads all conversations: call it where a process has ended.
 */
export async function giveMissingTitles(
  db: Db,
  endpoints: readonly Pick<Endpoint, 'name' | 'titles'>[],
): Promise<number> {
  const names = endpoints.flatMap(({ name, titles }) => (titles.enabled ? name : []));
  const rows = await db.sql<{ user_id: string; id: string; question: string | null }[]>`
    select c.user_id, c.id, left(search_text(first.parts), ${LOOKED_AT_MAX}) as question
    from convos c cross join lateral (
      select parts from messages m where m.user_id = c.user_id and m.convo_id = c.id and m.is_created_by_user
      order by m.seq limit 1
    ) as first
    where c.title is null and c.running is null and c.deleted_at is null and c.temporary_until is null
      and c.endpoint = any(${names}::text[])
    limit ${MISSING_MAX}`;
  const untitled = rows.map(({ user_id: userId, id, question }) => ({
    userId,
    conversationId: id,
    title: fallbackTitle(question ?? ''),
  }));
  await giveFallbackTitles(db, untitled);
  return rows.length;
}

/** Conversations of one statement, which locks the rows of their users. */
const BATCH_CONVOS = 100;

/**
 * Gives the titles to those that have none yet; a later answer may replace them. A crowd whose server stops needs a few
 * statements, not one for each conversation.
 */
export async function giveFallbackTitles(db: Db, untitled: readonly Untitled[]): Promise<void> {
  for (let from = 0; from < untitled.length; from += BATCH_CONVOS)
    // It writes words for the search, and so do other processes for the same people.
    await repeatUndone(() => titleSome(db, untitled.slice(from, from + BATCH_CONVOS)));
}

/** Each conversation takes a number of its own from its user's counter, as `nextChange` gives them. */
async function titleSome({ sql, tell }: Db, untitled: readonly Untitled[]): Promise<void> {
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
      returning users.id, users.change_seq - counted.n as before
    )
    update convos set title = numbered.title, titled_at = now(), change_seq = change.before + numbered.n
    from numbered join change on change.id = numbered.user_id
    where convos.user_id = numbered.user_id and convos.id = numbered.id and convos.title is null
      and convos.deleted_at is null`;
  for (const userId of new Set(untitled.map((one) => one.userId))) tell(changeTopic(userId));
}
