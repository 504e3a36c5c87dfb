// Many exchanges of many people, written by the database itself: what it has after months or years.
import type { Db } from '@parley/db/client';

/** Exchanges of one person, and of one conversation. */
const PER_PERSON = 100;
const PER_CONVO = 10;
/** Exchanges of one statement. */
const BATCH = 100_000;

/** Ids follow from numbers, so that rows name each other without a look at them. */
const ID = (kind: string, n: string) => `md5('${kind} ' || (${n}))::uuid`;
const PERSON = ID('person', `n / ${PER_PERSON}`);
const CONVO = ID('convo', `n / ${PER_CONVO}`);
/** The last year, in the order of the numbers. */
const AT = `now() - interval '1 year' * (1 - n::float / $3::int) - interval '2 minutes'`;

/** Adds the exchanges from `from` to `to`, without triggers, and counts all that is there for the planner. */
export async function fillExchanges(db: Db, from: number, to: number): Promise<void> {
  const sql = await db.sql.reserve();
  try {
    await sql`set session_replication_role = replica`;
    for (let first = from; first < to; first += BATCH) {
      const range = [first, Math.min(first + BATCH, to) - 1, to];
      for (const statement of STATEMENTS) await sql.unsafe(statement, range);
      if ((first - from) % (BATCH * 10) === 0) console.log(`  ${first} of ${to} exchanges are written`);
    }
    await sql`set session_replication_role = origin`;
    await sql`vacuum analyze`;
  } finally {
    sql.release();
  }
}

const NUMBERS = `generate_series($1::int, $2::int) as n`;
const EVERY = (count: number) => `${NUMBERS} where n % ${count} = 0 and $3::int > 0`;

const STATEMENTS = [
  `insert into users (id, email, name)
    select ${PERSON}, 'person' || n / ${PER_PERSON} || '@example.com', 'Person' from ${EVERY(PER_PERSON)}`,
  `insert into convos (user_id, id, title, endpoint, endpoint_type, change_seq, created_at, updated_at)
    select ${PERSON}, ${CONVO}, 'Conversation ' || n, 'openAI', 'openAI', n, ${AT}, ${AT} from ${EVERY(PER_CONVO)}`,
  `insert into messages (user_id, id, convo_id, parent_id, depth, is_created_by_user, sender, endpoint, endpoint_type,
      parts, generation_id, created_at, updated_at)
    select ${PERSON}, case part when 0 then ${ID('question', 'n')} else ${ID('reply', 'n')} end, ${CONVO},
      case part when 1 then ${ID('question', 'n')} end, part, part = 0, 'User', 'openAI', 'openAI',
      jsonb_build_array(jsonb_build_object('type', 'text', 'text', repeat(md5(n::text), 4))),
      case part when 1 then ${ID('run', 'n')} end, ${AT}, ${AT}
    from ${NUMBERS}, generate_series(0, 1) as part where $3::int > 0`,
  `insert into generations (id, user_id, convo_id, request_id, reply_id, kind, endpoint, model, owner, lease_until,
      ended_at, usage, credits, is_uncounted, created_at)
    select ${ID('run', 'n')}, ${PERSON}, ${CONVO}, ${ID('question', 'n')}, ${ID('reply', 'n')}, 'send', 'openAI', 'gpt-4',
      ${ID('owner', 'n / 100000')}, ${AT}, ${AT}, '{"input":100,"output":200}', 300, false, ${AT}
    from ${NUMBERS} where $3::int > 0`,
  `insert into transactions (user_id, convo_id, generation_id, token_type, model, context, rate, raw_amount, token_value,
      created_at)
    select ${PERSON}, ${CONVO}, ${ID('run', 'n')}, case part when 0 then 'prompt' else 'completion' end, 'gpt-4',
      'message', 1, -100, -100, ${AT}
    from ${NUMBERS}, generate_series(0, 1) as part where $3::int > 0`,
  `insert into audit_events (at, event, user_id, details)
    select ${AT}, 'person.signed_in', ${PERSON}, '{}' from ${EVERY(10)}`,
  `insert into usage_days (user_id, day, endpoint, model, kind, asks, input, output, reasoning, credits, estimated)
    select ${PERSON}, (${AT})::date, 'openAI', 'gpt-4', 'chat', 1, 100, 200, 0, 300, 0 from ${EVERY(PER_CONVO)}
    on conflict do nothing`,
];
