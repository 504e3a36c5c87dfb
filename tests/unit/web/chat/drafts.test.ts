// @vitest-environment happy-dom
import type { Change } from '@parley/schema/convos/convos';
import type { Draft, SaveDraft, SavedDraft } from '@parley/schema/chat/drafts';
import type { Attachment } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import fc from 'fast-check';
import { createStore } from 'jotai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ModelTarget } from '../../../../web/src/catalog/model-target.ts';
import { plannedAtom } from '../../../../web/src/chat/columns/planned.ts';
import { draftStoreOf, type DraftStore } from '../../../../web/src/chat/drafts/draft-store.ts';
import { mentionsAtom } from '../../../../web/src/chat/drafts/mention.ts';
import { createOutbox } from '../../../../web/src/chat/exchanges/outbox.ts';
import { restoreDraft } from '../../../../web/src/chat/exchanges/restore-draft.ts';
import {
  attached,
  EMPTY_DRAFT,
  received,
  restored,
  saved,
  typed,
  type LocalDraft,
} from '../../../../web/src/chat/drafts/local-draft.ts';
import {
  prepareContinue,
  prepareEdit,
  prepareRegenerate,
  mentioning,
  prepareSend,
} from '../../../../web/src/chat/exchanges/prepare-ask.ts';
import type { DraftApi } from '../../../../web/src/chat/drafts/draft-api.ts';
import { syncDrafts } from '../../../../web/src/chat/drafts/sync-drafts.ts';
import { withEntry } from '../../../../web/src/lib/stored-map.ts';
import { gpt, message } from './people.ts';
import { refusal, silence } from './scripted-api.ts';
import { NEW_CHAT } from '../../../../web/src/slots/new-chat.ts';

const paper: Attachment = {
  type: 'file',
  fileId: '00000000-0000-4000-8000-000000000001',
  path: '/api/files/download/u/1',
  name: 'plan.pdf',
  mime: 'application/pdf',
  bytes: 90,
};
const noon = Date.parse('2024-05-01T12:00:00.000Z');

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: noon });
});
afterEach(() => void vi.useRealTimers());

function at(seconds: number): string {
  return new Date(noon + seconds * 1000).toISOString();
}

function shared(text: string, seconds: number, seq: number, key = 'lisbon'): Draft {
  return { key, text, editedAt: at(seconds), seq };
}

describe('drafts in this browser', () => {
  test('are restored after a reload, edited messages included', () => {
    const store = createStore();
    const drafts = draftStoreOf('bob');
    store.set(drafts.draftAtom('lisbon'), 'half a thought');
    store.set(drafts.editAtom('question'), 'a better question');
    drafts.flush();
    expect(JSON.parse(localStorage.getItem('drafts:bob') ?? '')).toMatchObject({ lisbon: { text: 'half a thought' } });
    expect(JSON.parse(localStorage.getItem('edits:bob') ?? '')).toEqual({ question: 'a better question' });
  });

  test('do not overwrite those of another tab', () => {
    const store = createStore();
    const drafts = draftStoreOf('carol');
    localStorage.setItem('drafts:carol', JSON.stringify({ bread: { ...EMPTY_DRAFT, text: 'of the other tab' } }));
    store.set(drafts.draftAtom('lisbon'), 'of this one');
    drafts.flush();
    expect(Object.keys(JSON.parse(localStorage.getItem('drafts:carol') ?? ''))).toEqual(['bread', 'lisbon']);
  });

  test('have a limit, and the oldest is dropped', () => {
    let entries: Readonly<Record<string, string>> = {};
    for (const key of ['a', 'b', 'c', 'a', 'd']) entries = withEntry(entries, key, 'x', 3);
    expect(Object.keys(entries)).toEqual(['c', 'a', 'd']);
    expect(withEntry(entries, 'a', undefined, 3)).toEqual({ c: 'x', d: 'x' });
  });
});

describe('a draft that is edited in two browsers', () => {
  const mine = typed({ ...EMPTY_DRAFT, seq: 3 }, 'mine', noon);

  test('takes the text of the other when nothing was typed here', () => {
    const draft = received({ ...EMPTY_DRAFT, text: 'old', seq: 3 }, shared('new', 0, 4), null);
    expect(draft).toMatchObject({ text: 'new', seq: 4, isSaved: true, offered: null });
  });

  test('keeps the later keystroke, and the other text is offered', () => {
    expect(received(mine, shared('theirs', 5, 4), null)).toMatchObject({
      text: 'theirs',
      isSaved: true,
      offered: 'mine',
    });
    expect(received(mine, shared('theirs', -5, 4), null)).toMatchObject({
      text: 'mine',
      isSaved: false,
      offered: 'theirs',
    });
  });

  test('offers neither an equal nor an empty text', () => {
    expect(received(mine, shared('mine and more', 5, 4), null).offered).toBeNull();
    expect(received(mine, shared('', -5, 4), null)).toMatchObject({ text: 'mine', offered: null });
  });

  test('recognizes its own text when it returns', () => {
    expect(received(typed(mine, 'mine and on', noon + 900), shared('mine', 0, 4), { text: 'mine' })).toMatchObject({
      text: 'mine and on',
      seq: 4,
      isSaved: false,
      offered: null,
    });
  });

  test('goes with its files to the later one, be it a key press or a file', () => {
    const withFile = attached(mine, [paper], noon + 10_000);
    expect(withFile).toMatchObject({ text: 'mine', files: [paper], isSaved: false });
    expect(received(withFile, shared('theirs', 5, 4), null)).toMatchObject({ text: 'mine', files: [paper] });
    expect(received(mine, { ...shared('mine', 5, 4), files: [paper] }, null)).toMatchObject({ files: [paper], seq: 4 });
    const taken = received({ ...withFile, isSaved: true }, shared('mine', 20, 4), null);
    expect(taken).toMatchObject({ text: 'mine', files: undefined, isSaved: true });
  });

  test('is not another one because its files are read anew', () => {
    const withFile = attached(mine, [paper], noon);
    expect(attached(withFile, [{ ...paper }], noon + 1)).toBe(withFile);
  });

  test('ignores what is older than what it has seen', () => {
    expect(received(mine, shared('long ago', 5, 3), null)).toBe(mine);
  });

  test('is newer than what was seen, however slow this clock is', () => {
    const seen = received(EMPTY_DRAFT, shared('theirs', 300, 1), null);
    expect(Date.parse(typed(seen, 'theirs, corrected', noon).editedAt)).toBeGreaterThan(Date.parse(seen.editedAt));
  });

  test('restores a lost text, and offers the one it replaces', () => {
    const draft: LocalDraft = { ...EMPTY_DRAFT, text: 'theirs', offered: 'mine' };
    const back = restored(draft, noon);
    expect(back).toMatchObject({ text: 'mine', offered: 'theirs', isSaved: false });
    expect(restored({ ...draft, text: '' }, noon)).toMatchObject({ text: 'mine', offered: null });
  });

  test('follows the response of the server, whatever was typed meanwhile', () => {
    const sent: SaveDraft = { key: 'lisbon', text: 'mine', editedAt: mine.editedAt, basedOn: 3 };
    const kept = { draft: shared('mine', 0, 4), lost: 'theirs' };
    expect(saved(mine, sent, kept)).toMatchObject({ seq: 4, isSaved: true, offered: 'theirs' });
    expect(saved(typed(mine, 'mine on', noon), sent, kept)).toMatchObject({ text: 'mine on', isSaved: false });
    const beaten = { draft: shared('theirs', 9, 4), lost: 'mine' };
    expect(saved(mine, sent, beaten)).toMatchObject({ text: 'theirs', isSaved: true, offered: 'mine' });
  });
});

/** A server that keeps drafts by the rules of `SaveDraft`. */
function createServer() {
  const drafts = new Map<string, Draft>();
  const listeners = new Set<(change: Change) => void>();
  const starts = new Set<() => void>();
  let seq = 0;
  return {
    drafts,
    listeners,
    starts,
    /** Lists are read at once and arrive after this. */
    onItsWay: Promise.resolve(),
    save({ key, text, editedAt, basedOn }: SaveDraft): SavedDraft {
      const stored = drafts.get(key);
      if (stored && Date.parse(stored.editedAt) > Date.parse(editedAt))
        return { draft: stored, lost: text !== '' && text !== stored.text ? text : null };
      const draft = { key, text, editedAt, seq: ++seq };
      drafts.set(key, draft);
      for (const listener of listeners) listener({ type: 'draft', seq, draft });
      const isLost = stored && basedOn !== stored.seq && stored.text !== '' && stored.text !== text;
      return { draft, lost: isLost ? stored.text : null };
    },
  };
}

interface Desk {
  box: DraftStore;
  store: ReturnType<typeof createStore>;
  /** What the next saves meet instead of the server. */
  failures: unknown[];
  /** What the person was shown of a text that the server will not keep. */
  refusals: Reason[];
  saves: SaveDraft[];
  text(): string;
  type(text: string): void;
  end(): void;
}

let desks = 0;

function openDesk(server: ReturnType<typeof createServer>, key = 'lisbon'): Desk {
  const store = createStore();
  const box = draftStoreOf(`alice-${++desks}`);
  const failures: unknown[] = [];
  const refusals: Reason[] = [];
  const saves: SaveDraft[] = [];
  const draftApi: DraftApi = {
    async save(draft) {
      saves.push(draft);
      if (failures.length > 0) throw failures.shift();
      return server.save(draft);
    },
    async list() {
      const filled = [...server.drafts.values()].filter(({ text }) => text !== '');
      await server.onItsWay;
      return filled;
    },
    onChange(listener) {
      server.listeners.add(listener);
      return () => server.listeners.delete(listener);
    },
    onFeedStart(listener) {
      server.starts.add(listener);
      return () => server.starts.delete(listener);
    },
    onRefused: (reason) => refusals.push(reason),
  };
  const end = syncDrafts({ local: box.local, store, draftApi });
  return {
    box,
    store,
    failures,
    refusals,
    saves,
    text: () => store.get(box.draftAtom(key)),
    type: (text) => store.set(box.draftAtom(key), text),
    end,
  };
}

describe('syncing drafts', () => {
  test('saves after 600 ms without typing, and reaches the other browser', async () => {
    const server = createServer();
    const [desk, phone] = [openDesk(server), openDesk(server)];
    desk.type('Three');
    await vi.advanceTimersByTimeAsync(500);
    desk.type('Three days');
    await vi.advanceTimersByTimeAsync(599);
    expect(desk.saves).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(desk.saves.map(({ text }) => text)).toEqual(['Three days']);
    expect(phone.text()).toBe('Three days');
  });

  test('saves at once when the focus or the page is lost', async () => {
    const desk = openDesk(createServer());
    desk.type('one');
    document.dispatchEvent(new FocusEvent('focusout'));
    await vi.advanceTimersByTimeAsync(0);
    desk.type('one two');
    window.dispatchEvent(new Event('pagehide'));
    await vi.advanceTimersByTimeAsync(0);
    expect(desk.saves.map(({ text }) => text)).toEqual(['one', 'one two']);
  });

  test('retries without a response, and does not after a refusal', async () => {
    const server = createServer();
    const desk = openDesk(server);
    desk.failures.push(silence());
    desk.type('one');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(server.drafts.get('lisbon')?.text).toBe('one');
    desk.failures.push(refusal({ type: 'invalid_input', text: 'too long' }));
    desk.type('two');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(desk.saves).toHaveLength(3);
    expect(desk.text()).toBe('two');
  });

  test('retries while the server fails, at most every twenty seconds', async () => {
    const server = createServer();
    const desk = openDesk(server);
    desk.failures.push(...Array.from({ length: 20 }, () => refusal({ type: 'unknown', text: '' })));
    desk.type('one');
    await vi.advanceTimersByTimeAsync(600);
    const inAMinute = desk.saves.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(desk.saves.length - inAMinute).toBeLessThan(12);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(server.drafts.get('lisbon')?.text).toBe('one');
    expect(desk.refusals).toEqual([]);
  });

  test('reports a refused draft once, and loses nothing of it to another browser', async () => {
    const server = createServer();
    const desk = openDesk(server);
    const tooLong = { type: 'invalid_input', text: 'too long' } as const;
    desk.failures.push(refusal(tooLong), refusal(tooLong));
    desk.type('two');
    await vi.advanceTimersByTimeAsync(60_000);
    window.dispatchEvent(new Event('blur'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(desk.saves).toHaveLength(1);
    desk.type('two and more');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(desk.saves).toHaveLength(2);
    expect(desk.refusals).toEqual([tooLong]);
    const phone = openDesk(server);
    phone.type('from the phone');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(desk.text()).toBe('from the phone');
    expect(desk.store.get(desk.box.local.entry('lisbon'))?.offered).toBe('two and more');
    desk.type('two');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(phone.text()).toBe('two');
  });

  test('begins with the stored drafts: typed texts arrive, sent ones disappear', async () => {
    const server = createServer();
    server.save({ key: 'lisbon', text: 'from the phone', editedAt: at(0), basedOn: 0 });
    const desk = openDesk(server);
    await vi.advanceTimersByTimeAsync(0);
    expect(desk.text()).toBe('from the phone');
    desk.end();
    server.save({ key: 'lisbon', text: '', editedAt: at(1), basedOn: 1 });
    const draftApi: DraftApi = {
      save: async (draft) => server.save(draft),
      list: async () => [],
      onChange: () => () => {},
      onFeedStart: () => () => {},
      onRefused: () => expect.fail(),
    };
    syncDrafts({ local: desk.box.local, store: desk.store, draftApi });
    await vi.advanceTimersByTimeAsync(0);
    expect(desk.text()).toBe('');
  });

  test('takes what was saved before changes were sent', async () => {
    const server = createServer();
    const phone = openDesk(server);
    await vi.advanceTimersByTimeAsync(0);
    server.drafts.set('lisbon', { key: 'lisbon', text: 'from the desk', editedAt: at(0), seq: 1 });
    for (const start of server.starts) start();
    await vi.advanceTimersByTimeAsync(0);
    expect(phone.text()).toBe('from the desk');
  });

  test('does not bring back a sent text with a list that was read before', async () => {
    const server = createServer();
    const desk = openDesk(server);
    desk.type('Where do herons sleep?');
    await vi.advanceTimersByTimeAsync(600);
    let arrive = () => {};
    server.onItsWay = new Promise((resolve) => (arrive = resolve));
    for (const start of server.starts) start();
    desk.type('');
    await vi.advanceTimersByTimeAsync(600);
    expect(server.drafts.get('lisbon')?.text).toBe('');
    arrive();
    await vi.advanceTimersByTimeAsync(0);
    expect(desk.text()).toBe('');
    desk.type('And storks?');
    await vi.advanceTimersByTimeAsync(600);
    expect(desk.store.get(desk.box.local.entry('lisbon'))).toMatchObject({ text: 'And storks?', offered: null });
  });

  test('converges on one text, which holds or offers the last input, no matter who types when', async () => {
    const step = fc.record({
      who: fc.integer({ min: 0, max: 2 }),
      pause: fc.constantFrom(10, 300, 700, 1_500),
      isCut: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const server = createServer();
        const all = [openDesk(server), openDesk(server), openDesk(server)];
        const words: string[] = [];
        for (const [index, { who, pause, isCut }] of steps.entries()) {
          const desk = all[who] ?? expect.fail();
          if (isCut) desk.failures.push(silence());
          words.push(`<${index}>`);
          desk.type(`${desk.text()}<${index}>`);
          await vi.advanceTimersByTimeAsync(pause);
        }
        await vi.advanceTimersByTimeAsync(120_000);
        const texts = new Set(all.map((desk) => desk.text()));
        expect(texts.size).toBe(1);
        const seen = all.map(({ box, store }) => {
          const draft = store.get(box.local.entry('lisbon'));
          return `${draft?.text} ${draft?.offered}`;
        });
        expect(seen.join()).toContain(words.at(-1));
        for (const desk of all) desk.end();
      }),
      { numRuns: 60 },
    );
  });
});

describe('a refused text', () => {
  const cache = { findMessages: () => [message('first', 1)], forget: () => {} };
  const question = message('question', 1, { isCreatedByUser: true });
  const answer = message('answer', 2, { parentMessageId: 'question' });

  function boxes() {
    return { store: createStore(), cache, drafts: draftStoreOf(`dave-${++desks}`) };
  }

  test('returns to its box, unless another text stands there', () => {
    const { store, drafts } = boxes();
    const asking = prepareSend('lisbon', 'answer', 'And then?', gpt);
    expect(restoreDraft({ store, cache, drafts }, asking)).toBe(true);
    expect(store.get(drafts.draftAtom('lisbon'))).toBe('And then?');
    expect(restoreDraft({ store, cache, drafts }, asking)).toBe(false);
  });

  test('returns to the new chat when it was a first question', () => {
    const { store, drafts } = boxes();
    const empty = { ...cache, findMessages: () => [] };
    expect(restoreDraft({ store, cache: empty, drafts }, prepareSend('lisbon', null, 'Hello', gpt))).toBe(true);
    expect(store.get(drafts.draftAtom(NEW_CHAT))).toBe('Hello');
  });

  test('returns with who was to answer it alone, also from the outbox of a reload', () => {
    const mention = { name: 'Otto', target: { ...gpt, model: 'gpt-4' } };
    const sent = mentioning(prepareSend('lisbon', null, 'Hello, Otto', mention.target), mention, gpt);
    expect(sent.ask).toMatchObject({ model: 'gpt-4', keeps: { endpoint: gpt.endpoint, model: gpt.model } });
    const outbox = createOutbox('dave');
    outbox.put(sent);
    const [kept] = outbox.list();
    outbox.remove(sent.ask.generationId);
    for (const asking of [sent, kept?.pendingAsk ?? expect.fail()]) {
      const { store, drafts } = boxes();
      restoreDraft({ store, cache: { ...cache, findMessages: () => [] }, drafts }, asking);
      expect(store.get(mentionsAtom)[NEW_CHAT]).toEqual(mention);
      store.set(mentionsAtom, NEW_CHAT, null);
    }
  });

  test('returns with the models that were picked for it, but not with those of the columns that stand already', () => {
    const other = { ...gpt, model: 'gpt-4' };
    const send = (to: ModelTarget, messageId: string) => prepareSend('lisbon', 'answer', 'And?', to, [], { messageId });
    const picked = boxes();
    restoreDraft({ ...picked, cache }, { ...send(gpt, 'one'), others: [send(other, 'one')] });
    expect(picked.store.get(plannedAtom).lisbon).toEqual([other]);
    picked.store.set(plannedAtom, 'lisbon', []);
    const standing = boxes();
    restoreDraft({ ...standing, cache }, { ...send(gpt, 'one'), others: [send(other, 'two')] });
    expect(standing.store.get(standing.drafts.draftAtom('lisbon'))).toBe('And?');
    expect(standing.store.get(plannedAtom)).toEqual({});
  });

  test('returns to the message that was being edited', () => {
    const { store, drafts } = boxes();
    const edited = { ...prepareSend('lisbon', null, 'A better question', gpt), editOf: 'question' };
    expect(restoreDraft({ store, cache, drafts }, edited)).toBe(true);
    expect(restoreDraft({ store, cache, drafts }, prepareEdit(question, answer, 'A better answer', gpt))).toBe(true);
    expect(store.get(drafts.editAtom('question'))).toBe('A better question');
    expect(store.get(drafts.editAtom('answer'))).toBe('A better answer');
    expect(store.get(drafts.draftAtom('lisbon'))).toBe('');
  });

  test('returns nowhere when it is empty', () => {
    const { store, drafts } = boxes();
    expect(restoreDraft({ store, cache, drafts }, prepareRegenerate('question', question, gpt))).toBe(true);
    expect(restoreDraft({ store, cache, drafts }, prepareContinue(question, answer, gpt))).toBe(true);
    expect(store.get(drafts.draftAtom('lisbon'))).toBe('');
  });
});
