// Writes an ordinary question in one statement, where nothing must be checked or reserved inside its transaction.
import { findPgCode, repeatUndone, type Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import { replySender } from '@parley/schema/catalog/sender';
import { cleanText } from '@parley/schema/clean-text';
import { sql, type SQL } from 'drizzle-orm';
import { ownFolder } from '../../folders/folders.ts';
import { askerWith, changeTopic, mayAsk, parseRow, type Asker, type JsonRow } from '../../convos/changes.ts';
import { presentConvo, type ConvoRow } from '../../convos/present.ts';
import { presentMessage, type MessageRow } from '../../messages/present.ts';
import type { Ask, AskResult } from './ask.ts';
import { skillsOfAsk } from './skills-of-ask.ts';
import { NEW_LEASE } from './beginning-runs.ts';

interface Written {
  convo: JsonRow;
  request: JsonRow;
  reply: JsonRow;
  stop_requested: boolean;
  asker: Asker;
  [column: string]: unknown;
}

const UNIQUE_VIOLATION = '23505';

/**
 * Writes what a transaction would write for a question; null, with nothing written, whenever something is out of the
 * ordinary: a user who may not ask, an id that is taken, a conversation that is missing, busy or temporary, a parent that is missing or has
 * calls that wait, or another transaction of this user that came between. The statement sees the database as it was
 * before it waited for the lock on the user's row, so it only writes when the change counter is still the one that it
 * saw. The question's search entry follows later: nobody who asks waits for it.
 */
export async function writeSend({ locking, tell }: Pick<Db, 'locking' | 'tell'>, ask: Ask): Promise<AskResult | null> {
  const { userId, owner, input } = ask;
  const { target } = input;
  if (
    target.kind !== 'send' ||
    target.files?.length ||
    input.isTemporary ||
    input.keeps ||
    input.keepsModel ||
    ask.picture ||
    input.research
  )
    return null;
  const { parentMessageId, messageId } = target;
  const parts = [{ type: 'text', text: cleanText(target.text) }];
  const { modelDisplayLabel } = ask.endpoint.config;
  const sender = replySender({
    endpointType: ask.endpoint.type,
    model: ask.model,
    settings: ask.settings,
    modelDisplayLabel,
  });
  const parentDepth = sql`(select depth from messages where user_id = ${userId} and id = ${parentMessageId}
    and convo_id = ${input.conversationId} and deleted_at is null and finish_reason is distinct from 'tool_calls')`;
  const isFirst = parentMessageId === null;
  const convo = isFirst ? openConvo(ask) : sql`${updateConvo(ask)} and exists ${parentDepth}`;
  const statement = sql`
    with change as (
      update users set change_seq = change_seq + 1 where id = ${userId} and ${mayAsk}
      returning change_seq as seq, ${askerWith(skillsOfAsk(ask))} as asker,
        change_seq = (select before.change_seq from users before where before.id = ${userId}) + 1 as is_alone,
        set_config('parley.copies_search_entries', 'on', true)
    ), convo as (${convo} returning convos.*),
    written as (
      insert into messages (user_id, convo_id, endpoint, endpoint_type, model, id, parent_id, depth,
        is_created_by_user, sender, parts, unfinished, generation_id)
      select convo.user_id, convo.id, convo.endpoint, convo.endpoint_type, convo.model, m.id, m.parent_id,
        m.depth + ${isFirst ? sql`0` : sql`${parentDepth} + 1`}, m.depth = 0, m.sender, m.parts, m.depth = 1, m.generation_id
      from convo, (values
        (${messageId}::uuid, ${parentMessageId}::uuid, 0, 'User', ${JSON.stringify(parts)}::jsonb, null::uuid),
        (${input.replyId}::uuid, ${messageId}::uuid, 1, ${sender}, '[]'::jsonb, ${input.generationId}::uuid)
      ) as m (id, parent_id, depth, sender, parts, generation_id)
      order by m.depth
      returning messages.*
    ), stop as (
      delete from early_stops using convo
      where early_stops.user_id = convo.user_id and generation_id = ${input.generationId}
      returning generation_id
    ), generation as (
      insert into generations (id, user_id, convo_id, request_id, reply_id, kind, endpoint, model, owner, lease_until,
        api_key_id, stop_requested)
      select ${input.generationId}::uuid, user_id, id, ${messageId}::uuid, ${input.replyId}::uuid, 'send', endpoint, model,
        ${owner}::uuid, ${NEW_LEASE},
        ${ask.apiKeyId ?? null}::uuid, exists (select from stop)
      from convo
      returning stop_requested
    )
    select to_json(convo) as convo, to_json(request) as request, to_json(reply) as reply, stop_requested, asker
    from change, convo, generation, written request, written reply
    where request.is_created_by_user and not reply.is_created_by_user`;
  const [written] = await repeatUndone(async () => locking.execute<Written>(statement)).catch((error: unknown) => {
    if (findPgCode(error) === UNIQUE_VIOLATION) return [];
    throw error;
  });
  if (!written) return null;
  tell(changeTopic(userId));
  return resultOf(written);
}

/** Opens the conversation of a first question. */
function openConvo({ userId, input, endpoint, model, settings }: Ask): SQL {
  return sql`
    insert into convos (user_id, id, endpoint, endpoint_type, model, settings, running, change_seq, messages_seq, folder_id)
    select ${userId}::uuid, ${input.conversationId}::uuid, ${endpoint.name}, ${endpoint.type}, ${model},
      ${JSON.stringify(settings)}::jsonb, ${input.generationId}::uuid, seq, seq, ${input.folderId ? ownFolder(userId, input.folderId) : sql`null::uuid`}
    from change where is_alone`;
}

function updateConvo({ userId, input, endpoint, model, settings }: Ask): SQL {
  return sql`
    update convos set endpoint = ${endpoint.name}, endpoint_type = ${endpoint.type}, model = ${model},
      settings = ${JSON.stringify(settings)}::jsonb, running = ${input.generationId}, is_archived = false,
      change_seq = change.seq, messages_seq = change.seq, updated_at = now()
    from change where change.is_alone and user_id = ${userId} and convos.id = ${input.conversationId}
      and deleted_at is null and temporary_until is null and running is null`;
}

function resultOf({ convo, request, reply, asker, stop_requested: stopRequested }: Written): AskResult {
  const row = parseRow<ConvoRow>(convos, convo);
  return {
    created: {
      type: 'created',
      request: presentMessage(parseRow<MessageRow>(messages, request)),
      reply: presentMessage(parseRow<MessageRow>(messages, reply)),
      convo: presentConvo(row),
    },
    asker,
    written: row,
    isNew: true,
    stopRequested,
    reserved: null,
    untitled: row.titledBy === null,
  };
}
