// Sends the questions that wait once the reply before them has ended, where no open page has done so: its person may
// look at another chat, or have gone.
import type { Db } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import { queuedAsks } from '@parley/db/tables/drafts';
import type { AskManyInput } from '@parley/schema/chat/ask-many';
import type { Column } from '@parley/schema/chat/columns';
import type { DraftFile } from '@parley/schema/chat/drafts';
import { columnIds, exchangeIdsOf } from '@parley/schema/chat/queue';
import type { QueuedTarget } from '@parley/schema/chat/queue-inputs';
import { and, eq } from 'drizzle-orm';
import type { AskService } from '../chat/ask-service.ts';
import { Refusal } from '../platform/errors.ts';
import { removeQueued } from './queue.ts';

/** Questions of one call, of as many conversations. */
const BATCH_QUESTIONS = 20;
/** How long a question is one server's. If that dies, another one sends it then, under the same ids. */
const LEASE_SECONDS = 60;

interface From {
  db: Db;
  askService: Pick<AskService, 'ask' | 'askMany'>;
  /** How long open pages may send it first, which know what is on screen. */
  graceMs: number;
}

/**
 * Sends the first question of each conversation that is due. Each is claimed when the one before has been sent, as it
 * stands then: its person may have changed it, or asked something else. An error is thrown after all of them.
 */
export async function sendDueQuestions(deps: From): Promise<void> {
  const faults: unknown[] = [];
  let began: string | null = null;
  for (let sent = 0; sent < BATCH_QUESTIONS; sent++) {
    const due: DueQuestion | undefined = await claimDue(deps, began);
    if (!due) break;
    began ??= due.claimed_at;
    await send(deps, due).catch((error: unknown) => faults.push(error));
  }
  if (faults.length > 0) throw faults[0];
}

interface DueQuestion {
  id: string;
  user_id: string;
  convo_id: string;
  text: string;
  files: DraftFile[];
  target: QueuedTarget | null;
  parent_id: string;
  endpoint: string;
  model: string | null;
  settings: QueuedTarget['settings'];
  /** The answers side by side that it follows. */
  columns: Column[] | null;
  claimed_at: string;
}

/**
 * Due is what a page would send by itself, and was due when the call began: the newest answer is whole, nothing runs, and
 * nobody holds it. Of answers side by side those count that the question follows, all or the named one, in any order: one
 * of them is whole, and none waits for a decision, which an answer that failed beside it does not change. Its person is active, and neither banned nor about to be deleted. A row that two servers claim at once
 * is the first one's: the second sees the changed row. `began` is null for the first claim of a call.
 */
async function claimDue({ db: { sql: plain }, graceMs }: From, began: string | null): Promise<DueQuestion | undefined> {
  const [due] = await plain<DueQuestion[]>`
    update queued_asks q set held_until = now() + make_interval(secs => ${LEASE_SECONDS})
    from (
      select first.user_id, first.id, newest.id as parent_id, c.endpoint, c.model, c.settings, c.columns
      from (
        select distinct on (user_id, convo_id) * from queued_asks order by user_id, convo_id, position, id
      ) first
      join users u on u.id = first.user_id and u.deletion_due_at is null and u.state = 'active'
        and coalesce(u.banned_until <= now(), true)
      join convos c on c.user_id = first.user_id and c.id = first.convo_id
        and c.running is null and c.deleted_at is null and c.temporary_until is null
      cross join lateral (
        select m.id from messages m
        where m.user_id = first.user_id and m.convo_id = first.convo_id and m.deleted_at is null
        order by m.seq desc limit 1
      ) newest
      cross join lateral (
        select bool_or(
          not m.is_created_by_user and not m.unfinished and m.reason is null
          and coalesce(m.finish_reason not in ('incomplete', 'tool_calls'), true)
        ) and not bool_or(m.reason is null and coalesce(m.finish_reason = 'tool_calls', false)) as are_whole
        from messages m
        where m.user_id = first.user_id and m.convo_id = first.convo_id and m.deleted_at is null
          and m.id in (
            select newest.id where c.columns is null
            union all
            select reply_id from (
              select (one->>'replyId')::uuid as reply_id, is_named, bool_or(is_named) over () as has_named
              from jsonb_array_elements(c.columns) one, lateral (
                select coalesce(first.target ? 'keeps', false) and one->>'endpoint' = first.target->>'endpoint'
                  and one->>'model' is not distinct from first.target->>'model' as is_named
              ) named
            ) columns where is_named or not has_named
          )
      ) answers
      where coalesce(first.held_until <= now(), true)
        and greatest(first.created_at, c.updated_at) <=
          coalesce(${began}::timestamptz, now()) - make_interval(secs => ${graceMs / 1000})
        and answers.are_whole
      order by first.created_at limit 1
    ) due
    where q.user_id = due.user_id and q.id = due.id and coalesce(q.held_until <= now(), true)
    returning q.id, q.user_id, q.convo_id, q.text, q.files, q.target, due.parent_id, due.endpoint, due.model, due.settings,
      due.columns, now()::text as claimed_at`;
  return due;
}

async function send({ db, askService }: From, due: DueQuestion): Promise<void> {
  const { id, user_id: userId, convo_id: conversationId, text, files, parent_id: parentMessageId } = due;
  const { endpoint, model, settings, keeps }: QueuedTarget = due.target ?? due;
  const ids = files.map(({ fileId }) => fileId);
  const target = {
    kind: 'send',
    messageId: id,
    parentMessageId,
    text,
    ...(ids.length > 0 && { files: ids }),
  } as const;
  try {
    const input = { ...exchangeIdsOf(id), conversationId, endpoint, model, settings, keeps, target };
    if (due.columns) await askColumns(askService, due, due.columns);
    else await askService.ask(userId, input, { keepsRefused: true });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // What was refused for long stays: a page shows it, and the reason when its person sends it.
    if ((await db.query.$count(messages, and(eq(messages.userId, userId), eq(messages.id, id)))) === 0)
      return holdForPage(db, userId, id);
  }
  await removeQueued(db, userId, id);
}

/** The question goes to all columns, or to the named one. */
async function askColumns(askService: From['askService'], due: DueQuestion, columns: readonly Column[]): Promise<void> {
  const { user_id: userId, convo_id: conversationId, target } = due;
  const asks = columnAsks(due, columns);
  const isNamed = ({ endpoint, model }: Column) => endpoint === target?.endpoint && model === (target.model ?? null);
  const column = target?.keeps ? columns.findIndex(isNamed) : -1;
  const named = asks[column];
  if (!named) await askService.askMany(userId, { conversationId, asks });
  else await askService.ask(userId, { ...named, conversationId, column, keepsModel: true }, { keepsRefused: true });
}

/** The question below the newest reply of each column. */
function columnAsks({ id, text, files }: DueQuestion, columns: readonly Column[]): AskManyInput['asks'] {
  const attached = files.length > 0 && { files: files.map(({ fileId }) => fileId) };
  return columns.map(({ endpoint, model, settings, replyId: parentMessageId }, place) => {
    const { messageId, ...ids } = columnIds(id, place);
    return {
      ...ids,
      endpoint,
      model,
      settings,
      target: { kind: 'send', messageId, parentMessageId, text, ...attached },
    };
  });
}

async function holdForPage({ query }: Db, userId: string, id: string): Promise<void> {
  await query
    .update(queuedAsks)
    .set({ heldUntil: 'infinity' })
    .where(and(eq(queuedAsks.userId, userId), eq(queuedAsks.id, id)));
}
