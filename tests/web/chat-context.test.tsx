// @vitest-environment happy-dom
import type { Budget } from '@parley/schema/budget';
import { nodeOf } from '@parley/schema/thread';
import { cleanup, render, screen, within } from '@testing-library/react';
import { atom, createStore, Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Chat } from '../../web/src/chat/use-chat.ts';
import type { DraftAtom } from '../../web/src/chat/drafts/drafts.ts';
import { BudgetDetails } from '../../web/src/context/budget-details.tsx';
import { percentOf } from '../../web/src/context/budget-meter.tsx';
import { leftOutSentences } from '../../web/src/context/left-out.ts';
import { useBudget } from '../../web/src/context/use-budget.ts';
import { warningOf } from '../../web/src/context/warning-of.ts';
import { i18n, startI18n } from '../../web/src/i18n.ts';
import { gpt, message } from './chat-people.ts';

const budget: Budget = {
  window: 4092,
  reserve: 1024,
  instructions: 68,
  question: 200,
  history: 800,
  included: 9,
  omitted: 0,
  summary: null,
  fits: true,
};

beforeAll(startI18n);
afterEach(cleanup);

describe('how full the window is', () => {
  test('is the part of it that can be filled', () => {
    expect(percentOf({ ...budget, instructions: 0, question: 534, history: 1000 })).toBe(50);
    expect(percentOf({ ...budget, question: 4000, fits: false })).toBe(100);
    expect(percentOf({ ...budget, summary: { messages: 4, tokens: 466 } })).toBe(50);
  });

  test('is told in full to whoever asks', () => {
    render(<BudgetDetails budget={{ ...budget, omitted: 5, summary: { messages: 5, tokens: null } }} />);
    const rows = screen.getAllByRole('term').map((term) => term.parentElement?.textContent);
    expect(rows).toEqual([
      'This message200',
      '8 earlier messages800',
      'Summarystill to be written',
      'Instructions68',
      'Kept for the answer1,024',
      'Free2,000',
      'Context window4,092',
    ]);
    expect(screen.getByText('5 earlier messages will be given as a summary.')).toBeTruthy();
  });
});

describe('a warning', () => {
  const say = (over: Partial<Budget>) => warningOf({ ...budget, ...over }, i18n.t);

  test('is given when something will not be seen, and only then', () => {
    expect(say({})).toBeNull();
    expect(say({ omitted: 1 })).toBe("1 earlier message won't be seen.");
    expect(say({ omitted: 12 })).toBe("12 earlier messages won't be seen.");
    expect(say({ omitted: 12, summary: { messages: 12, tokens: 90 } })).toMatch(/^12 .* as a summary/);
    expect(say({ fits: false, question: 5000 })).toBe(
      'This message does not fit: it has 5,000 tokens, and there is room for 3,000.',
    );
  });
});

describe('what an answer was written without', () => {
  const say = (record: object) => leftOutSentences({ window: 4092, included: 3, omitted: 12, ...record }, i18n.t);

  test('is said in a record of before as in one of now', () => {
    expect(say({ omitted: 0 })).toEqual([]);
    expect(say({})).toEqual(["The oldest 12 messages did not fit the model's context and were left out."]);
    expect(say({ summary: { messages: 12, tokens: 90 } })).toEqual([
      'The oldest 12 messages were given to the model as a summary.',
    ]);
  });

  test('is said also of a summary that knows not all of it, and of one that failed', () => {
    expect(say({ summary: { messages: 5, tokens: 90 } })[1]).toBe(
      'The oldest 7 messages were left out, also of the summary.',
    );
    expect(say({ summaryFailed: true })[1]).toBe('No summary could be made.');
  });
});

describe('the server is asked', () => {
  let asked: { parentMessageId: string | null; text: string }[];

  beforeEach(() => {
    asked = [];
    vi.stubGlobal('fetch', async (url: string, { method, body }: { method: string; body: string }) => {
      expect(`${method} ${url}`).toBe('POST /trpc/messages.budget?batch=1');
      const { 0: input } = JSON.parse(body) as [(typeof asked)[number]];
      asked.push(input);
      return Response.json([{ result: { data: { ...budget, question: asked.length } } }]);
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  const place = chatWith();

  test('once for a storm of keys, about the newest text and the message that it would stand under', async () => {
    const { type, container } = openBudget(place, 'H');
    for (const text of ['He', 'Hel', 'Hell', ' Hello ']) type(text);
    await within(container).findByText('1');
    expect(asked).toMatchObject([{ parentMessageId: 'answer', text: 'Hello' }]);
  });

  test('not about an empty text, nor while an answer is being written', async () => {
    const { type, become, container } = openBudget(place, '  ');
    become({ ...place, generationId: 'run' });
    type('Hello');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(asked).toEqual([]);
    expect(container.textContent).toBe('nothing');
  });

  test('once more for a setting that is drawn through many values, with the last of them', async () => {
    const { become, container } = openBudget(place, 'Hello');
    await within(container).findByText('1');
    for (const temperature of [0.1, 0.2, 0.3]) {
      become({ ...place, addressee: { ...gpt, settings: { temperature } } });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await within(container).findByText('2');
    expect(asked).toMatchObject([{ settings: gpt.settings }, { settings: { temperature: 0.3 } }]);
  });

  test('again when another model is chosen', async () => {
    const { become, container } = openBudget(place, 'Hello');
    await within(container).findByText('1');
    become({ ...place, addressee: { ...gpt, model: 'gpt-4-turbo' } });
    await within(container).findByText('2');
    expect(asked).toMatchObject([{ model: 'gpt-4' }, { model: 'gpt-4-turbo' }]);
  });
});

/** What is told of a draft that says `text` in a chat, and how one types on or the chat changes. */
function openBudget(chat: Chat, text: string) {
  const store = createStore();
  const draft: DraftAtom = atom(text);
  const told = (now: Chat) => (
    <Provider store={store}>
      <Told chat={now} draft={draft} />
    </Provider>
  );
  const { container, rerender } = render(told(chat));
  return { container, type: (now: string) => store.set(draft, now), become: (now: Chat) => rerender(told(now)) };
}

function Told({ chat, draft }: { chat: Chat; draft: DraftAtom }) {
  return <p>{useBudget(chat, draft)?.question ?? 'nothing'}</p>;
}

/** A chat with an answer in it, and a question under that which the server does not know. */
function chatWith(): Chat {
  const known = [message('question', 1, { isCreatedByUser: true }), message('answer', 2)];
  const path = [...known, message('sent', Number.MAX_SAFE_INTEGER - 1)].map(nodeOf);
  const slot = { conversationId: 'lisbon', isFresh: false, choice: null };
  return { slot, addressee: gpt, path, loading: { status: 'ready' }, generationId: null } as unknown as Chat;
}
