import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { bracketed, find, groupsFor, write } from './library.ts';

let services: TestServices;
let alice: Person;
let bob: Person;

beforeAll(async () => {
  services = await openTestServices();
  alice = await services.as('alice');
  bob = await services.as('bob');
});
beforeEach(() => services.deps.db.sql`delete from convos`);
afterAll(() => services.close());

const say = (...texts: string[]) => write(services, alice, { texts });

describe('a search finds', () => {
  it.each([
    ['the quick brown fox', 'quick'],
    ['the quick brown fox', 'QUICK'],
    ['the quick brown fox', 'row'],
    ['the quick brown fox', 'fox quick'],
    ['Die Straße ist gesperrt', 'strasse'],
    ['DIE STRASSE', 'straße'],
    ['Ein Rindfleischetikettierungsgesetz', 'etikett'],
    ['Crème brûlée', 'creme brulee'],
    ['creme brulee', 'crème'],
    ['Съешь ещё этих мягких французских булок', 'ФРАНЦУЗСКИХ'],
    ['Съешь ещё этих мягких французских булок', 'еще'],
    ['Съешь ещё этих мягких французских булок', 'гких'],
    ['اَلْعَرَبِيَّةُ لُغَةٌ جَمِيلَةٌ', 'العربية'],
    ['العربية لغة جميلة', 'عَرَب'],
    ['我们在北京大学学习中文', '北京'],
    ['我们在北京大学学习中文', '大学学习'],
    ['我们在北京大学学习中文', '文'],
    ['我们在北京大学学习中文', '中文 北京'],
    ['東京都庁へ行きました', '京都'],
    ['コーヒーを飲みます', 'ヒー'],
    ['ｶﾞﾗｽを割る', 'ガラス'],
    ['ガラスを割る', 'ｶﾞﾗｽ'],
    ['ＡＢＣ１２３', 'abc123'],
    ['대한민국의 서울', '민국'],
    ['สวัสดีชาวโลก', 'ชาว'],
    ['useEffect(() => {}, [])', 'useEffect('],
    ['useEffect(() => {}, [])', 'eff'],
    ['a foo_bar in it', 'foo_bar'],
    ['a foo_bar in it', 'bar'],
    ['open src/app/main.ts now', 'src/app/main.ts'],
    ['open src/app/main.ts now', 'pp/mai'],
    ['open src/app/main.ts now', 'p/main.t'],
    ['open src/app/main.ts now', '.ts'],
    ['C++ and C# are two', 'c++'],
    ['C++ and C# are two', 'C#'],
    ['go and js and ts', 'js'],
    ['starting with go', 'st'],
    ['100% sure', '100%'],
    ['back\\slash', 'back\\slash'],
    ['one sentence.', 'sentence?'],
    ['to be or not to be', '"or not to"'],
    ['to be or\nnot to be', '"or not"'],
    ['a party 🎉 tonight', '🎉'],
    [`${'0123456789abcdef'.repeat(6)}`, '0123456789abcdef0123456789abcdef0123456789'],
    ['I am the 1st', '1st'],
  ])('in %j the query %j', async (text, query) => {
    const { conversationId, messageIds } = await say('nothing of the kind here', text);
    const [group, ...others] = await groupsFor(alice, query);
    expect(others).toEqual([]);
    expect(group?.convo.conversationId).toBe(conversationId);
    expect(group?.hits.map(({ messageId }) => messageId)).toEqual([messageIds[1]]);
    expect(group?.hits[0]?.snippet.some(({ isHit }) => isHit)).toBe(true);
  });

  it.each([
    ['the quick brown fox', 'quick wolf'],
    ['useEffect is a hook', 'useEffect('],
    ['foo bar', 'foo_bar'],
    ['C and others', 'c++'],
    ['京都と東京', '東京都'],
    ['not or to', '"or not to"'],
    ['カラス', 'ガラス'],
    ['party time', '"art"'],
    ['xjs', 'js'],
  ])('not in %j the query %j', async (text, query) => {
    await say(text);
    expect(await find(alice, query)).toEqual([]);
  });

  it('words in one message, not spread over two', async () => {
    await say('apples here', 'pears there');
    expect(await find(alice, 'apples pears')).toEqual([]);
  });

  it('messages on every branch', async () => {
    const { conversationId, messageIds } = await say('root', 'leaf one');
    const twin = randomUUID();
    await services.deps.db.sql`
      insert into messages (user_id, id, convo_id, parent_id, depth, is_created_by_user, sender, endpoint, endpoint_type, parts)
      select user_id, ${twin}, convo_id, parent_id, depth, is_created_by_user, sender, endpoint, endpoint_type,
        '[{"type":"reasoning","text":"hidden"},{"type":"text","text":"the other "},{"type":"text","text":"leaflet"}]'
      from messages where id = ${messageIds[1] ?? ''}`;
    const [group] = await groupsFor(alice, 'leaf');
    expect(group?.convo.conversationId).toBe(conversationId);
    expect(group?.hits.map(({ messageId }) => messageId)).toEqual([messageIds[1], twin]);
    expect(await find(alice, 'hidden')).toEqual([]);
  });

  it('nothing of another user', async () => {
    await say('a secret of alice');
    await write(services, alice, { title: 'A secret title' });
    expect(await find(bob, 'secret')).toEqual([]);
    expect(await find(alice, 'secret')).toHaveLength(2);
  });

  it('archived conversations, too', async () => {
    const { conversationId } = await say('put away');
    await services.deps.db.sql`update convos set is_archived = true where id = ${conversationId}`;
    expect(await find(alice, 'away')).toEqual([conversationId]);
  });
});

describe('the order', () => {
  it('has titles first, then phrases and whole words, then the newest', async () => {
    const part = await say('marathons are long');
    const apart = await say('run a marathon');
    const phrase = await say('we marathon run');
    const newer = await say('run another marathon');
    const title = await write(services, alice, { title: 'Marathon run' });
    expect(await find(alice, 'marathon run')).toEqual(
      [title, phrase, newer, apart].map(({ conversationId }) => conversationId),
    );
    expect((await find(alice, 'marathon')).at(-1)).toBe(part.conversationId);
  });

  it('follows the time a message was written, not when it was imported', async () => {
    const dates = ['2023-05-01', '2021-05-01', '2024-05-01', '2022-05-01'];
    const texts: Record<string, string> = {};
    const titles: Record<string, string> = {};
    for (const at of dates) {
      texts[at] = (await write(services, alice, { texts: ['an import'], at })).conversationId;
      titles[at] = (await write(services, alice, { title: 'Export', at })).conversationId;
    }
    const newestFirst = dates.toSorted().toReversed();
    expect(await find(alice, 'import')).toEqual(newestFirst.map((at) => texts[at]));
    expect(await find(alice, 'export')).toEqual(newestFirst.map((at) => titles[at]));
  });

  it('groups by conversation, with three messages each and the number of further ones', async () => {
    const { conversationId, messageIds } = await say(...Array.from({ length: 7 }, (_, n) => `banana number ${n}`));
    const [group, ...others] = await groupsFor(alice, 'banana');
    expect(others).toEqual([]);
    expect(group).toMatchObject({ convo: { conversationId }, more: 4 });
    expect(group?.hits.map(({ messageId }) => messageId)).toEqual(messageIds.slice(4).toReversed());
  });

  it('lists the messages of a conversation whose title was found, too', async () => {
    await write(services, alice, { title: 'Bananas', texts: ['one banana'] });
    const [group] = await groupsFor(alice, 'banana');
    expect(bracketed(group?.titleParts ?? [])).toBe('[Banana]s');
    expect(group?.hits.map(({ snippet }) => bracketed(snippet))).toEqual(['one [banana]']);
  });

  it('finds older messages when the newer ones are mostly alike', async () => {
    const rare = await say('needle in the hay');
    for (let n = 0; n < 5; n++) await say(...Array.from({ length: 60 }, () => 'hay and nothing else'));
    const groups = await groupsFor(alice, 'hay');
    expect(groups).toHaveLength(6);
    expect(groups.reduce((sum, { hits, more }) => sum + hits.length + more, 0)).toBe(301);
    expect(await find(alice, 'needle')).toEqual([rare.conversationId]);
  });
});

describe('pages', () => {
  it('are adjacent, without repetition, whatever is added meanwhile', async () => {
    const written: string[] = [];
    for (let n = 0; n < 60; n++) written.push((await say(`pebble ${n}`)).conversationId);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await alice.api.convos.search({ query: 'pebble', cursor });
      expect(page.groups.length).toBeLessThanOrEqual(25);
      seen.push(...page.groups.map(({ convo }) => convo.conversationId));
      cursor = page.nextCursor;
      await say('one more pebble');
      await write(services, alice, { title: 'pebble' });
    } while (cursor);
    expect(seen).toEqual(written.toReversed());
  });

  it.each([
    'garbage',
    '1.2.3',
    `1.5.${randomUUID()}.9`,
    `1.5.5.5.5.5.5.${randomUUID()}.9.9;`,
    `1.9999999999999999999.5.5.5.5.5.${randomUUID()}.9.9`,
  ])('refuse the cursor %s', async (cursor) => {
    await say('something');
    await expect(alice.api.convos.search({ query: 'something', cursor })).rejects.toThrow('invalid_input');
  });
});

describe('an unusual query', () => {
  it.each([
    '',
    ' ',
    '%',
    '_',
    '\\',
    "'",
    '"',
    '"""',
    '()[]{}',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udc00y',
    '***',
    '\u0301',
    '\u200b',
    '😀',
    '%s%n',
    "'; drop table users; --",
    'a'.repeat(10_000),
    '漢'.repeat(10_000),
    'a b '.repeat(2500),
    '"a" '.repeat(2500),
    '%_\\'.repeat(3000),
    '👩‍👩‍👧'.repeat(1000),
  ])('gets a result (%#)', async (query) => {
    await say(`percent % and \\ and ${query.slice(0, 10).replaceAll('\u0000', '').toWellFormed()}`);
    await expect(groupsFor(alice, query)).resolves.toBeInstanceOf(Array);
  });

  it.each(['', ' ', '%', '()', '...'])('%j finds nothing', async (query) => {
    await say('anything (at all) 100%...');
    expect(await find(alice, query)).toEqual([]);
  });
});

it('a search is refused when it is turned off', async () => {
  const others = await openTestServices({ SEARCH: 'false' });
  const carol = await others.as('carol');
  expect(await carol.api.convos.searchEnabled()).toBe(false);
  await expect(carol.api.convos.search({ query: 'x' })).rejects.toThrow('invalid_input');
  expect(await alice.api.convos.searchEnabled()).toBe(true);
  await others.close();
});
