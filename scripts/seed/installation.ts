// Writes a generated installation as `mongoexport` writes its collections.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ENGLISH, naturalText } from './natural-text.ts';

export interface Size {
  users: number;
  convosPerUser: number;
  messagesPerConvo: number;
}

/** The hash of `a long password` by bcrypt, cost 10. */
export const PASSWORD = 'a long password';

const NO_PARENT = '00000000-0000-0000-0000-000000000000';
export async function writeInstallation(folder: string, size: Size, passwordHash: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const users = Array.from({ length: size.users }, (_, index) => ({
    _id: { $oid: objectId('user', index) },
    name: `Person ${index}`,
    username: `person${index}`,
    email: `Person${index}@elsewhere.example`,
    emailVerified: false,
    password: passwordHash,
    provider: 'local',
    role: index === 0 ? 'ADMIN' : 'USER',
    plugins: [],
    createdAt: { $date: '2023-05-01T10:00:00.000Z' },
    __v: { $numberInt: '0' },
  }));
  await writeLines(join(folder, 'users.json'), users);
  await writeLines(
    join(folder, 'balances.json'),
    users.map(({ _id }, index) => ({
      _id: { $oid: objectId('balance', index) },
      user: _id,
      tokenCredits: { $numberLong: String(1000 * (index + 1)) },
    })),
  );
  await writeLines(
    join(folder, 'presets.json'),
    users.map(({ _id }, index) => ({
      _id: { $oid: objectId('preset', index) },
      presetId: uuid('preset', index),
      user: _id.$oid,
      title: `Preset ${index}`,
      endpoint: 'openAI',
      model: 'gpt-4',
      temperature: 0.3,
    })),
  );
  await writeLines(join(folder, 'conversations.json'), convosOf(size));
  await writeLines(join(folder, 'messages.json'), messagesOf(size));
}

function* convosOf({ users, convosPerUser }: Size) {
  for (let user = 0; user < users; user += 1)
    for (let convo = 0; convo < convosPerUser; convo += 1)
      yield {
        _id: { $oid: objectId('convo', user, convo) },
        conversationId: uuid('convo', user, convo),
        user: objectId('user', user),
        title: `Conversation ${convo} of person ${user}`,
        endpoint: 'openAI',
        model: 'gpt-4',
        temperature: 0.5,
        messages: [],
        createdAt: { $date: { $numberLong: String(Date.UTC(2024, 0, 1) + convo * 60_000) } },
        updatedAt: { $date: { $numberLong: String(Date.UTC(2024, 0, 2) + convo * 60_000) } },
      };
}

function* messagesOf({ users, convosPerUser, messagesPerConvo }: Size) {
  for (let user = 0; user < users; user += 1)
    for (let convo = 0; convo < convosPerUser; convo += 1)
      for (let at = 0; at < messagesPerConvo; at += 1) {
        const time = { $date: new Date(Date.UTC(2024, 0, 1) + convo * 60_000 + at * 1000).toISOString() };
        yield {
          _id: { $oid: objectId('message', user, convo, at) },
          messageId: uuid('message', user, convo, at),
          conversationId: uuid('convo', user, convo),
          parentMessageId: at === 0 ? NO_PARENT : uuid('message', user, convo, at - 1),
          user: objectId('user', user),
          sender: at % 2 === 0 ? 'User' : 'GPT-4',
          isCreatedByUser: at % 2 === 0,
          text: textOf(user, convo, at),
          error: false,
          unfinished: false,
          endpoint: 'openAI',
          model: 'gpt-4',
          tokenCount: { $numberInt: '12' },
          createdAt: time,
          updatedAt: time,
        };
      }
}

/** Questions are short, answers have 120 words. A person writes in one language, and now and then in English. */
function textOf(user: number, convo: number, at: number): string {
  const language = convo % 4 === 0 ? ENGLISH : user;
  return naturalText(user * 1_000_003 + convo * 1009 + at, at % 2 === 0 ? 18 : 120, language);
}

async function writeLines(path: string, documents: Iterable<object>): Promise<void> {
  const file = createWriteStream(path);
  for (const document of documents) if (!file.write(`${JSON.stringify(document)}\n`)) await once(file, 'drain');
  file.end();
  await once(file, 'finish');
}

function objectId(...words: (string | number)[]): string {
  return createHash('sha256').update(words.join('/')).digest('hex').slice(0, 24);
}

function uuid(...words: (string | number)[]): string {
  const hex = createHash('sha256').update(words.join('/')).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
