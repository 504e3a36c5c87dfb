// `npm run seed`: adds a few fixed users with branching conversations to the database that `npm start` uses. Keeps all
// other data.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import { hashPassword } from '@parley/server/auth/password/password-hash';
import { createUser, findUserByEmail } from '@parley/server/auth/users';
import { runCommand, type Command } from '@parley/server/commands/run-command';
import { withDatabase } from '@parley/server/commands/with-database';
import { loadConfig } from '@parley/server/load-config';
import { nextChange } from '@parley/server/convos/changes';
import { and, eq, inArray } from 'drizzle-orm';
import { PASSWORD, people, talks, type Talk, type Turn } from './seed/conversations.ts';

const HOUR_MS = 60 * 60_000;
const ENDPOINT = { endpoint: 'Demo', endpointType: 'custom', model: 'parley-demo' } as const;

const seed: Command = {
  args: '',
  help: 'Adds three people with branching conversations.',
  whenStopped: 'Run it again: it adds what is missing.',
  async run(_args, migrations, operator) {
    const config = await loadConfig({ env: process.env, cwd: process.cwd() });
    const addAll = async (db: Db) => {
      for (const person of people) {
        operator?.show(`Adding ${person.email}`, 'the database');
        await seedPerson(db, person);
      }
    };
    await withDatabase(config, migrations, addAll, operator);
    return `${people.map(({ email }) => email).join(', ')} can sign in with the password "${PASSWORD}".`;
  },
};

await runCommand('seed', seed, process.argv.slice(2), fileURLToPath(new URL('../db/migrations', import.meta.url)));

async function seedPerson(db: Db, person: (typeof people)[number]): Promise<void> {
  const known = await findUserByEmail(db, person.email);
  const user = known ?? (await createUser(db, { ...person, passwordHash: await hashPassword(PASSWORD) }));
  if (!user) throw new Error(`${person.email} could not be made.`);
  const rows = talks.map((talk) => rowsOf(user.id, talk));
  await db.query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, user.id);
    const ids = rows.map(({ convo }) => convo.id);
    await tx.delete(convos).where(and(eq(convos.userId, user.id), inArray(convos.id, ids)));
    await tx.insert(convos).values(rows.map(({ convo }) => ({ ...convo, changeSeq })));
    // One by one: insertion order is message order.
    for (const message of rows.flatMap((row) => row.messages)) await tx.insert(messages).values(message);
  });
}

function rowsOf(userId: string, talk: Talk) {
  const id = idOf(userId, talk.title);
  const at = new Date(Date.now() - talk.hoursAgo * HOUR_MS).toISOString();
  const branches = talk.otherwise ? [talk.otherwise, talk.turns] : [talk.turns];
  return {
    convo: { userId, id, title: talk.title, titledBy: 'model' as const, ...ENDPOINT, createdAt: at, updatedAt: at },
    messages: branches.flatMap((turns) => messagesOf({ userId, convoId: id, createdAt: at, updatedAt: at }, turns)),
  };
}

type ConvoKey = { userId: string; convoId: string; createdAt: string; updatedAt: string };

function messagesOf(place: ConvoKey, turns: Turn[]) {
  const rows: (typeof messages.$inferInsert)[] = [];
  let parentId: string | null = null;
  for (const [turnIndex, { ask, answers, goOn }] of turns.entries()) {
    const depth = turnIndex * 2;
    const requestId = idOf(place.convoId, ask);
    const from = { ...place, ...ENDPOINT, depth };
    rows.push({
      ...from,
      id: requestId,
      parentId,
      isCreatedByUser: true,
      sender: 'User',
      parts: [{ type: 'text', text: ask }],
    });
    const replies = answers.map((text) => ({
      ...from,
      id: idOf(requestId, text),
      parentId: requestId,
      depth: depth + 1,
      isCreatedByUser: false,
      sender: 'Parley demo',
      parts: [{ type: 'text' as const, text }],
      finishReason: 'stop' as const,
    }));
    rows.push(...replies);
    parentId = replies.at(goOn ?? -1)?.id ?? null;
  }
  return rows;
}

/** A deterministic id from scope and text. */
function idOf(scope: string, text: string): string {
  const hex = createHash('sha256').update(`${scope}\n${text}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
