// The export of an installation of LibreChat 0.8, with people who signed in by different ways and shared what they made.
import { createCipheriv, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hash } from 'bcryptjs';

export const COMPANY_PASSWORD = 'correct horse battery';
/** The secret of Bob's authenticator app. */
export const BOBS_SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
/** The sign-in sites know Carol and Dave by these ids. */
export const CAROLS_SUBJECT = '7c1';
export const DAVES_ID = '88042';

type Collections = Record<string, object[]>;

const person = (n: number) => `65b0000000000000000000a${n}`;
const [ALICE, BOB, CAROL, DAVE, ERIN] = [1, 2, 3, 4, 5].map(person);
const oid = ($oid: string | undefined) => ({ $oid });
const date = (iso: string) => ({ $date: iso });
const CREATED = { createdAt: date('2025-03-01T09:00:00.000Z'), updatedAt: date('2025-03-02T09:00:00.000Z') };
const NO_PARENT = '00000000-0000-0000-0000-000000000000';

/** Ids of conversations, by which their pages are found. */
export const chatIds = {
  alice: chatId(1),
  handbook: chatId(2),
  bob: chatId(3),
  bobsHandbook: chatId(4),
  carol: chatId(5),
  dave: chatId(6),
  erin: chatId(7),
  temporary: chatId(8),
  over: chatId(9),
};

/** What CREDS_KEY and CREDS_IV were there. */
export function oldSecrets(): { LIBRECHAT_CREDS_KEY: string; LIBRECHAT_CREDS_IV: string } {
  return { LIBRECHAT_CREDS_KEY: randomBytes(32).toString('hex'), LIBRECHAT_CREDS_IV: randomBytes(16).toString('hex') };
}

export async function company(keys: { LIBRECHAT_CREDS_KEY: string }): Promise<Collections> {
  return { ...(await people(keys)), ...chats(), ...made(), ...sharing() };
}

/** A folder as `mongoexport` and a copy of `uploads` leave it. */
export async function writeCompany(folder: string, collections: Collections): Promise<void> {
  await mkdir(join(folder, `uploads/${ALICE}`), { recursive: true });
  await writeFile(join(folder, `uploads/${ALICE}/handbook.txt`), 'The canteen opens at eleven and closes at three.\n');
  for (const [name, documents] of Object.entries(collections))
    await writeFile(join(folder, `${name}.json`), documents.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

async function people(keys: { LIBRECHAT_CREDS_KEY: string }): Promise<Collections> {
  const password = await hash(COMPANY_PASSWORD, 10);
  const one = (id: string | undefined, name: string, over: object) => ({
    _id: oid(id),
    name: `${name} Example`,
    username: name.toLowerCase(),
    email: `${name.toLowerCase()}@example.com`,
    emailVerified: true,
    provider: 'local',
    role: 'USER',
    ...CREATED,
    ...over,
  });
  const factor = { twoFactorEnabled: true, totpSecret: encryptedThere(keys, BOBS_SECRET), backupCodes: [] };
  const site = (provider: string, field: string, id: string) => ({ provider, [field]: id, emailVerified: false });
  return {
    users: [
      one(ALICE, 'Alice', { password, role: 'ADMIN' }),
      one(BOB, 'Bob', { password, ...factor }),
      one(CAROL, 'Carol', site('openid', 'openidId', CAROLS_SUBJECT)),
      one(DAVE, 'Dave', site('facebook', 'facebookId', DAVES_ID)),
      one(ERIN, 'Erin', { password }),
    ],
  };
}

function encryptedThere({ LIBRECHAT_CREDS_KEY: key }: { LIBRECHAT_CREDS_KEY: string }, text: string): string {
  const iv = randomBytes(16);
  const cipher = createCipheriv('aes-256-ctr', Buffer.from(key, 'hex'), iv);
  return `v3:${iv.toString('hex')}:${Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]).toString('hex')}`;
}

const HANDBOOK = { endpoint: 'agents', agent_id: 'agent_handbook', model: 'agent_handbook' };

function chats(): Collections {
  const conversations: object[] = [];
  const messages: object[] = [];
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  add(chatIds.alice, ALICE, 'Plan of the move', { tags: ['Office'] });
  add(chatIds.handbook, ALICE, 'Lunch and the handbook', HANDBOOK);
  add(chatIds.bob, BOB, 'Budget of the year', {});
  add(chatIds.bobsHandbook, BOB, 'Where to eat', HANDBOOK);
  add(chatIds.carol, CAROL, 'Letters to suppliers', {});
  add(chatIds.dave, DAVE, 'Routes of the vans', {});
  add(chatIds.erin, ERIN, 'Garden plants', {});
  add(chatIds.temporary, ERIN, 'Present for Alice', { expiredAt: date(tomorrow), isTemporary: true });
  add(chatIds.over, ERIN, 'Old secret', { expiredAt: date('2025-03-03T00:00:00.000Z'), isTemporary: true });
  return { conversations, messages };

  function add(id: string, user: string | undefined, title: string, over: object): void {
    const asked = { endpoint: 'openAI', model: 'gpt-4o', ...over };
    const { endpoint, model } = asked;
    conversations.push({ conversationId: id, user, title, ...asked, ...CREATED });
    const said = { conversationId: id, user, endpoint, model, ...CREATED };
    const [question, answer] = [id.replace(/^6f/, '7a'), id.replace(/^6f/, '7b')];
    const isCreatedByUser = true;
    messages.push(
      { ...said, messageId: question, parentMessageId: NO_PARENT, isCreatedByUser, text: `About: ${title}?` },
      { ...said, messageId: answer, parentMessageId: question, isCreatedByUser: false, text: `Answer on: ${title}.` },
    );
  }
}

const [HELPER, SALARIES, SUMMARY, OFFER] = [1, 2, 3, 4].map((n) => `65b0000000000000000000b${n}`);

/** What Alice made: agents, their file, prompts and a bookmark. */
function made(): Collections {
  const agent = { author: oid(ALICE), provider: 'openAI', model: 'gpt-4o', ...CREATED };
  const group = { author: oid(ALICE), category: 'office', ...CREATED };
  const text = (groupId: string | undefined, n: number, prompt: string) => ({
    _id: oid(`65b0000000000000000000c${n}`),
    groupId: oid(groupId),
    author: oid(ALICE),
    prompt,
    type: 'text',
    ...CREATED,
  });
  const file = { file_id: 'file-handbook', filename: 'handbook.txt', filepath: `/uploads/${ALICE}/handbook.txt` };
  return {
    agents: [
      {
        _id: oid(HELPER),
        id: 'agent_handbook',
        name: 'Handbook helper',
        instructions: 'Answer from the handbook.',
        tools: ['file_search'],
        tool_resources: { file_search: { file_ids: ['file-handbook'] } },
        ...agent,
      },
      { _id: oid(SALARIES), id: 'agent_salaries', name: 'Salaries', instructions: 'Be discreet.', tools: [], ...agent },
    ],
    files: [
      { user: oid(ALICE), ...file, type: 'text/plain', context: 'agents', bytes: 49, source: 'local', ...CREATED },
    ],
    promptgroups: [
      {
        _id: oid(SUMMARY),
        name: 'Summary',
        command: 'summary',
        productionId: oid('65b0000000000000000000c1'),
        ...group,
      },
      { _id: oid(OFFER), name: 'Offer', command: 'offer', productionId: oid('65b0000000000000000000c2'), ...group },
    ],
    prompts: [text(SUMMARY, 1, 'Sum this up in three sentences.'), text(OFFER, 2, 'Write an offer.')],
    conversationtags: [{ user: ALICE, tag: 'Office', position: 1, count: 1, ...CREATED }],
  };
}

const VIEWER = 1;
const EDITOR = 3;
const OWNER = 15;

/** The helper and the summary are for everybody, the salaries and the offer for some. */
function sharing(): Collections {
  const finance = '65b0000000000000000000d1';
  const entry = (resourceType: string, id: string | undefined, principal: object, permBits: number) => ({
    ...principal,
    resourceType,
    resourceId: oid(id),
    permBits,
    grantedBy: oid(ALICE),
    grantedAt: CREATED.createdAt,
    ...CREATED,
  });
  const user = (id: string | undefined) => ({ principalType: 'user', principalModel: 'User', principalId: oid(id) });
  const group = { principalType: 'group', principalModel: 'Group', principalId: oid(finance) };
  const everybody = { principalType: 'public' };
  return {
    aclentries: [
      ...[HELPER, SALARIES].map((id) => entry('agent', id, user(ALICE), OWNER)),
      ...[SUMMARY, OFFER].map((id) => entry('promptGroup', id, user(ALICE), OWNER)),
      entry('agent', HELPER, everybody, VIEWER),
      entry('agent', HELPER, user(BOB), VIEWER),
      entry('agent', HELPER, user(CAROL), EDITOR),
      entry('agent', SALARIES, group, VIEWER),
      entry('agent', SALARIES, user(ERIN), EDITOR),
      entry('promptGroup', SUMMARY, everybody, VIEWER),
      entry('promptGroup', OFFER, { principalType: 'role', principalModel: 'Role', principalId: 'SALES' }, VIEWER),
      entry('mcpServer', '65b0000000000000000000e1', everybody, VIEWER),
    ],
    groups: [{ _id: oid(finance), name: 'Finance', source: 'local', memberIds: [BOB, DAVE], ...CREATED }],
    accessroles: [{ _id: oid('65b0000000000000000000f1'), accessRoleId: 'agent_viewer', permBits: VIEWER }],
  };
}

function chatId(n: number): string {
  return `6f0c2d1e-0000-4000-8000-00000000000${n}`;
}
