// @vitest-environment happy-dom
import type { Budget } from '@parley/schema/chat/budget';
import { messageNode } from '@parley/schema/messages/thread';
import { cleanup, render, screen, within } from '@testing-library/react';
import { atom, createStore, Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Chat } from '../../../../web/src/chat/use-chat.ts';
import {
  asDraftAttachment,
  type AttachmentsAtom,
  type DraftAttachment,
} from '../../../../web/src/chat/drafts/draft-attachments.ts';
import { createDraftStore, type DraftAtom } from '../../../../web/src/chat/drafts/draft-store.ts';
import { BudgetDetails } from '../../../../web/src/chat/context/budget-details.tsx';
import { usedPercent } from '../../../../web/src/chat/context/budget-meter.tsx';
import { describeOmitted } from '../../../../web/src/chat/context/omitted-messages.ts';
import { useBudget } from '../../../../web/src/chat/context/use-budget.ts';
import { budgetWarning } from '../../../../web/src/chat/context/budget-warning.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';
import { gpt, message } from './people.ts';

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

beforeAll(startEnglish);
afterEach(cleanup);

describe('the use of the window', () => {
  test('is a share of the available part', () => {
    expect(usedPercent({ ...budget, instructions: 0, question: 534, history: 1000 })).toBe(50);
    expect(usedPercent({ ...budget, question: 4000, fits: false })).toBe(100);
    expect(usedPercent({ ...budget, summary: { messages: 4, tokens: 466 } })).toBe(50);
  });

  test('is shown in full on request', () => {
    render(<BudgetDetails budget={{ ...budget, omitted: 5, summary: { messages: 5, tokens: null } }} />);
    const rows = screen.getAllByRole('term').map((term) => term.parentElement?.textContent);
    expect(rows).toEqual([
      'This message200 tokens',
      '8 earlier messages800 tokens',
      'Summarystill to be written',
      'Instructions68 tokens',
      'Kept for the answer1,024 tokens',
      'Free2,000 tokens',
      'Context window4,092 tokens',
    ]);
    expect(screen.getByText('5 earlier messages will be given as a summary.')).toBeTruthy();
  });
});

describe('a warning', () => {
  const say = (over: Partial<Budget>) => budgetWarning({ ...budget, ...over }, i18n.t);

  test('is shown when something will be omitted, and only then', () => {
    expect(say({})).toBeNull();
    expect(say({ omitted: 1 })).toBe("1 earlier message won't be seen.");
    expect(say({ omitted: 12 })).toBe("12 earlier messages won't be seen.");
    expect(say({ omitted: 12, summary: { messages: 12, tokens: 90 } })).toMatch(/^12 .* as a summary/);
    expect(say({ fits: false, question: 5000 })).toBe(
      "This message doesn't fit: it has 5,000 tokens, and there is room for 3,000.",
    );
  });
});

describe('the record of an answer with omitted messages', () => {
  const say = (record: object) => describeOmitted({ window: 4092, included: 3, omitted: 12, ...record }, i18n.t);

  test('is shown in its old and its new form', () => {
    expect(say({ omitted: 0 })).toEqual([]);
    expect(say({})).toEqual(["The oldest 12 messages did not fit the model's context and were left out."]);
    expect(say({ summary: { messages: 12, tokens: 90 } })).toEqual([
      'The oldest 12 messages were given to the model as a summary.',
    ]);
  });

  test('shows a partial and a failed summary', () => {
    expect(say({ summary: { messages: 5, tokens: 90 } })[1]).toBe(
      'The oldest 7 messages were left out, even from the summary.',
    );
    expect(say({ summaryFailed: true })[1]).toBe('No summary could be made.');
  });
});

describe('the budget request', () => {
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

  const pane = chatWith();

  test('is sent once for many keys, for the newest text and parent', async () => {
    const { type, container } = openBudget(pane, 'H');
    for (const text of ['He', 'Hel', 'Hell', ' Hello ']) type(text);
    await within(container).findByText('1');
    expect(asked).toMatchObject([{ parentMessageId: 'answer', text: 'Hello' }]);
  });

  test('is not sent for an empty text, nor during an answer', async () => {
    const { type, become, container } = openBudget(pane, '  ');
    become({ ...pane, generationId: 'run' });
    type('Hello');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(asked).toEqual([]);
    expect(container.textContent).toBe('nothing');
  });

  test('sends the uploaded files, even without a text', async () => {
    const { attach, container } = openBudget(pane, '');
    const photo = {
      type: 'file',
      fileId: 'photo',
      path: '/photo',
      name: 'photo',
      mime: 'text/plain',
      bytes: 5,
    } as const;
    const arriving = { ...asDraftAttachment(photo), id: 'arriving', attachment: null, progress: 0.2 };
    attach([arriving]);
    attach([arriving, asDraftAttachment(photo)]);
    await within(container).findByText('1');
    expect(asked).toMatchObject([{ text: '', files: ['photo'] }]);
    attach([]);
    await within(container).findByText('nothing');
    expect(asked).toHaveLength(1);
  });

  test('is sent once for a setting that is dragged, with the last value', async () => {
    const { become, container } = openBudget(pane, 'Hello');
    await within(container).findByText('1');
    for (const temperature of [0.1, 0.2, 0.3]) {
      become({ ...pane, modelTarget: { ...gpt, settings: { temperature } } });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await within(container).findByText('2');
    expect(asked).toMatchObject([{ settings: gpt.settings }, { settings: { temperature: 0.3 } }]);
  });

  test('is sent again when another model is chosen', async () => {
    const { become, container } = openBudget(pane, 'Hello');
    await within(container).findByText('1');
    become({ ...pane, modelTarget: { ...gpt, model: 'gpt-4-turbo' } });
    await within(container).findByText('2');
    expect(asked).toMatchObject([{ model: 'gpt-4' }, { model: 'gpt-4-turbo' }]);
  });
});

/** What is shown for a draft with `text` in a chat, and how one types on or the chat changes. */
function openBudget(chat: Chat, text: string) {
  const store = createStore();
  const draft: DraftAtom = atom(text);
  const files = createDraftStore('alice').attachmentsAtom('new');
  const told = (now: Chat) => (
    <Provider store={store}>
      <Told chat={now} draft={draft} files={files} />
    </Provider>
  );
  const { container, rerender } = render(told(chat));
  return {
    container,
    type: (now: string) => store.set(draft, now),
    attach: (now: readonly DraftAttachment[]) => store.set(files, now),
    become: (now: Chat) => rerender(told(now)),
  };
}

function Told({ chat, draft, files }: { chat: Chat; draft: DraftAtom; files: AttachmentsAtom }) {
  return <p>{useBudget(chat, draft, files)?.question ?? 'nothing'}</p>;
}

/** A chat with an answer in it, and a question under that which the server does not know. */
function chatWith(): Chat {
  const known = [message('question', 1, { isCreatedByUser: true }), message('answer', 2)];
  const path = [...known, message('sent', Number.MAX_SAFE_INTEGER - 1)].map(messageNode);
  const slot = { conversationId: 'lisbon', isFresh: false, choice: null };
  return { slot, modelTarget: gpt, path, loading: { status: 'ready' }, generationId: null } as unknown as Chat;
}
