// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createStore, Provider } from 'jotai';
import { afterEach, beforeAll, beforeEach, expect, describe, test, vi } from 'vitest';
import { BlockedNotice } from '../../../../web/src/chat/composer/blocked-notice.tsx';
import { Composer } from '../../../../web/src/chat/composer/composer.tsx';
import { isLong } from '../../../../web/src/chat/message/is-long.ts';
import { createChatSession } from '../../../../web/src/chat/chat-session.ts';
import { ChatSessionContext } from '../../../../web/src/chat/chat-session-context.tsx';
import { EMPTY_THREAD } from '../../../../web/src/chat/cache/stored-thread.ts';
import type { Chat } from '../../../../web/src/chat/use-chat.ts';
import { startEnglish } from '../start-english.ts';
import { gpt, message } from './people.ts';
import { createScriptedApi } from './scripted-api.ts';

const slot = { conversationId: 'lisbon', isNewChat: false, choice: null };
let sent: string[];
let stops: number;

beforeAll(startEnglish);
beforeEach(() => {
  sent = [];
  stops = 0;
  localStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function chat(rest: Partial<Chat> = {}): Chat {
  return {
    loading: { status: 'ready' },
    convo: undefined,
    stored: EMPTY_THREAD,
    exchanges: [],
    running: undefined,
    generationId: null,
    tree: EMPTY_THREAD.tree,
    path: [],
    exchangeOf: new Map(),
    findMessage: () => undefined,
    slot,
    modelTarget: gpt,
    keyState: { status: 'unneeded' },
    isModelGone: false,
    assistantState: { status: 'unneeded' },
    blockedBy: null,
    actions: {
      send: (text) => sent.push(text) > 0,
      regenerate: () => {},
      continueReply: () => {},
      resume: () => {},
      submitEdit: () => false,
      ask: () => false,
      retry: () => {},
      stop: () => void stops++,
      showSibling: () => {},
    },
    ...rest,
  };
}

const cache = {
  findMessages: () => undefined,
  begin: () => {},
  putConvo: () => {},
  saveColumns: async () => undefined,
  putMessages: () => {},
  forget: () => {},
  applyFinal: async () => {},
  refresh: () => {},
  refreshAll: () => {},
  isBehind: () => false,
};

/** The box with `text` in it, as a user of its own sees it: drafts are kept per user. */
function write(text: string, rest: Partial<Chat> = {}): HTMLTextAreaElement {
  return openBox(text, rest).box;
}

/** The same, and how the chat around the box becomes another. */
function openBox(text: string, rest: Partial<Chat>) {
  const store = createStore();
  const chatSession = createChatSession({
    userId: crypto.randomUUID(),
    chatApi: createScriptedApi(),
    store,
    cache,
    onStopFailed() {},
    onReadingRefused() {},
  });
  const composer = (now: Partial<Chat>) => (
    <Provider store={store}>
      <MantineProvider>
        <ChatSessionContext value={chatSession}>
          <Composer chat={chat(now)} />
        </ChatSessionContext>
      </MantineProvider>
    </Provider>
  );
  const { rerender } = render(composer(rest));
  const box = screen.getByTestId<HTMLTextAreaElement>('text-input');
  fireEvent.change(box, { target: { value: text } });
  return { box, become: (now: Partial<Chat>) => rerender(composer(now)) };
}

describe('Enter', () => {
  test('sends and clears the box', () => {
    const box = write('Three days in Lisbon?');
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(sent).toEqual(['Three days in Lisbon?']);
    expect(box.value).toBe('');
  });

  test('inserts a line break with Shift', () => {
    fireEvent.keyDown(write('one'), { key: 'Enter', shiftKey: true });
    expect(sent).toEqual([]);
  });

  test.each([{ isComposing: true }, { keyCode: 229 }])('is left to the input method while it composes: %j', (state) => {
    fireEvent.keyDown(write('日本'), { key: 'Enter', ...state });
    expect(sent).toEqual([]);
  });

  test('inserts a line break on touch screens, where the button sends', () => {
    vi.stubGlobal('matchMedia', (query: string) => {
      const list = new EventTarget();
      return Object.assign(list, { matches: query.includes('coarse') });
    });
    const box = write('one');
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(sent).toEqual([]);
    fireEvent.click(screen.getByTestId('send-button'));
    expect(sent).toEqual(['one']);
  });
});

describe('Enter before it is known whether a key is needed', () => {
  const loading: Partial<Chat> = { keyState: { status: 'loading' } };
  const good: Partial<Chat> = { keyState: { status: 'good', until: null } };
  /** While it loads nothing can be sent. */
  const unsent = { ...chat().actions, send: () => false };

  function pressEarly() {
    const opened = openBox('early', { ...loading, actions: unsent });
    fireEvent.keyDown(opened.box, { key: 'Enter' });
    return opened;
  }

  test('sends once when no key is missing', () => {
    const { box, become } = pressEarly();
    expect(sent).toEqual([]);
    become(good);
    expect(sent).toEqual(['early']);
    expect(box.value).toBe('');
  });

  test('sends nothing when a key is missing, even after it is set', () => {
    const { box, become } = pressEarly();
    become({ keyState: { status: 'missing', isRereading: false } });
    become(good);
    expect(sent).toEqual([]);
    expect(box.value).toBe('early');
    fireEvent.keyDown(box, { key: 'Enter' });
    expect(sent).toEqual(['early']);
  });

  test('waits for the list of keys that is being read again', () => {
    const { become } = pressEarly();
    become({ keyState: { status: 'missing', isRereading: true } });
    expect(sent).toEqual([]);
    become(good);
    expect(sent).toEqual(['early']);
  });

  test('sends nothing when the conversation cannot be loaded or continued', () => {
    for (const obstacle of [
      { loading: { status: 'failed', error: null, retry: () => {} } },
      { blockedBy: message('answer', 2, { unfinished: true }) },
    ] satisfies Partial<Chat>[]) {
      const { become } = pressEarly();
      become({ ...good, ...obstacle });
      become(good);
      expect(sent).toEqual([]);
      cleanup();
    }
  });

  test('is canceled by typing, even when the text becomes the same again', () => {
    const { box, become } = pressEarly();
    fireEvent.change(box, { target: { value: 'early bird' } });
    fireEvent.change(box, { target: { value: 'early' } });
    become(good);
    expect(sent).toEqual([]);
  });
});

describe('the send button', () => {
  test('is disabled for an empty text', () => {
    write('  \n ');
    expect(screen.getByTestId<HTMLButtonElement>('send-button').disabled).toBe(true);
  });

  test('stands beside a stop button during an answer, and puts what is typed in the queue', () => {
    const box = write('and then?', { generationId: 'run' });
    expect(screen.getByTestId('send-button').getAttribute('aria-label')).toBe('Send after this answer');
    fireEvent.click(screen.getByTestId('stop-button'));
    expect(stops).toBe(1);
    expect(box.value).toBe('and then?');
  });

  test('keeps the text while nothing can be sent yet', () => {
    const box = write('early', { modelTarget: undefined, loading: { status: 'loading' } });
    expect(screen.getByTestId<HTMLButtonElement>('send-button').disabled).toBe(true);
    expect(box.disabled).toBe(false);
    expect(box.value).toBe('early');
  });
});

describe('a composer that cannot send', () => {
  test('takes text after an answer that is not whole', () => {
    const box = write('Never mind', { blockedBy: message('answer', 2, { reason: { type: 'provider_broke_off' } }) });
    expect(box.disabled).toBe(false);
    expect(screen.getByTestId<HTMLButtonElement>('send-button').disabled).toBe(true);
  });

  test('says that no endpoint is available', () => {
    expect(write('', { modelTarget: null }).disabled).toBe(false);
    expect(screen.getByText(/No provider is set up/)).toBeTruthy();
  });
});

describe('the notice after an answer that is not whole', () => {
  test.each([
    [message('answer', 2, { reason: { type: 'provider_broke_off' } }), /^The last answer failed/],
    [message('answer', 2, { unfinished: true }), /^The last answer is incomplete/],
  ])('says what happened, and offers to send anyway', (answer, sentence) => {
    let count = 0;
    render(
      <MantineProvider>
        <BlockedNotice message={answer} onSendAnyway={() => count++} />
      </MantineProvider>,
    );
    expect(screen.getByRole('status').textContent).toMatch(sentence);
    fireEvent.click(screen.getByTestId('send-anyway'));
    expect(count).toBe(1);
  });
});

describe('a long own message', () => {
  test('is folded beyond some twenty lines, however they are broken', () => {
    expect(isLong('short')).toBe(false);
    expect(isLong('line\n'.repeat(19))).toBe(false);
    expect(isLong('line\n'.repeat(21))).toBe(true);
    expect(isLong('word '.repeat(400))).toBe(true);
  });
});
