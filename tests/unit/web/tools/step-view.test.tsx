// @vitest-environment happy-dom
import { MantineProvider } from '@mantine/core';
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { createStore, Provider } from 'jotai';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { finishedStepAtom } from '../../../../web/src/chat/finished.ts';
import { Parts } from '../../../../web/src/chat/message/parts.tsx';
import { startEnglish } from '../start-english.ts';
import type { CallFacts } from '../../../support/tools/call-facts.ts';
import { call } from './calls.ts';

beforeAll(startEnglish);
afterEach(cleanup);

let messages = 0;

interface Circumstances {
  isWriting?: boolean;
  canDecide?: boolean;
  isDrawn?: boolean;
}

/** A reply of these calls, as it is drawn now and later. */
function show(calls: ToolCall[], rest: Circumstances = {}) {
  const store = createStore();
  const messageId = `reply ${messages++}`;
  const decided: Record<string, string>[] = [];
  const page = (now: ToolCall[], { isWriting = false, canDecide, isDrawn = false }: Circumstances) => (
    <MantineProvider>
      <Provider store={store}>
        <Parts
          message={{ messageId, parts: now.map((one): MessagePart => ({ type: 'tool_call', call: one })) }}
          isWriting={isWriting}
          isDrawn={isDrawn}
          onDecide={(canDecide ?? !isWriting) ? (decisions) => decided.push(decisions) : undefined}
        />
      </Provider>
    </MantineProvider>
  );
  const { rerender, unmount } = render(page(calls, rest));
  return {
    decided,
    unmount,
    become: (now: ToolCall[], next: typeof rest = rest) => rerender(page(now, next)),
    remount: () => void (unmount(), render(page(calls, rest))),
    announced: () => store.get(finishedStepAtom)?.sentence,
  };
}

const details = () => screen.getByTestId('step').querySelector('details');
const summary = () => screen.getByTestId('step').querySelector('summary') ?? document.body;
const code = (rest: Partial<ToolCall> = {}) =>
  call({ kind: 'code_interpreter', name: 'python', input: '{"code":"print(6*7)"}', output: '42', ...rest });

describe('a step', () => {
  test('is open while it runs and folds when it ends', async () => {
    const running = code({ state: 'running', output: null, progress: 0.1, outputs: [{ type: 'logs', text: 'one' }] });
    const { become } = show([running], { isWriting: true });
    expect(details()?.open).toBe(true);
    expect((await screen.findByRole('group', { name: 'Output' })).textContent).toBe('one');
    expect(document.body.textContent).toContain('print(6*7)');
    become([code({ tookMs: 2_100 })], { isWriting: true });
    expect(details()?.open).toBe(false);
    expect(summary().textContent).toBe('Ran Python · 2.1 sec');
  });

  test('stays as its reader left it, also when its row is drawn anew', () => {
    const step = show([call()]);
    expect(details()?.open).toBe(false);
    fireEvent.click(summary());
    expect(details()?.open).toBe(true);
    step.remount();
    expect(details()?.open).toBe(true);
    cleanup();
    const running = show([code({ state: 'running' })], { isWriting: true });
    fireEvent.click(summary());
    running.become([code({ state: 'running', outputs: [{ type: 'logs', text: 'more' }] })]);
    expect(details()?.open).toBe(false);
  });

  test('shows arguments as a table, and as JSON on demand', async () => {
    show([call({ input: '{"city":"Paris","days":3}', output: '{"sun":true}' })]);
    fireEvent.click(summary());
    expect((await screen.findByText('city')).closest('dl')?.textContent).toBe('cityParisdays3');
    expect(screen.getByRole('group', { name: 'What came back' }).textContent).toBe('{\n  "sun": true\n}');
    fireEvent.click(screen.getByRole('button', { name: 'Show as JSON' }));
    expect(document.querySelector('code')?.textContent).toBe('{\n  "city": "Paris",\n  "days": 3\n}');
  });

  test('folds a long output', async () => {
    const output = Array.from({ length: 40 }, (_, n) => `line ${n}`).join('\n');
    show([call({ output })]);
    fireEvent.click(summary());
    const text = await screen.findByRole('group', { name: 'What came back' });
    expect(text.textContent?.split('\n')).toHaveLength(12);
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    expect(text.textContent).toBe(output);
  });

  test('says what was printed once, though the model was sent the same', async () => {
    show([code({ outputs: [{ type: 'logs', text: '42\n' }] })]);
    fireEvent.click(summary());
    await screen.findByRole('group', { name: 'Output' });
    expect(screen.getAllByRole('group', { name: /Output|What came back/ })).toHaveLength(1);
  });

  test('shows what it made while it is folded', () => {
    const image = { type: 'image', fileId: 'p', path: '/images/u/p.png', width: 40, height: 30 } as const;
    const file = { type: 'file', fileId: 'f', path: '/f', name: 'table.csv', mime: 'text/csv', bytes: 12 } as const;
    show([code({ outputs: [image, { ...file }] })]);
    expect(details()?.open).toBe(false);
    expect(screen.getByRole('img', { name: /Picture made by the model/ })).toBeDefined();
    expect(screen.getByText('table.csv')).toBeDefined();
  });

  test.each([
    ['failed', 'calculator failed'],
    ['denied', 'You did not allow it: calculator'],
    ['stopped', 'Stopped: calculator'],
    ['unknown', 'It is not known whether this was done: calculator'],
  ] as const)('that is %s says so, and keeps what it was told', async (state, sentence) => {
    show([call({ state, output: 'error processing tool: division by zero' })]);
    expect(summary().textContent).toBe(sentence);
    fireEvent.click(summary());
    expect((await screen.findByRole('group', { name: 'What came back' })).textContent).toBe('division by zero');
  });

  test('says how each of its calls went', async () => {
    show([call({ step: 0, tookMs: 400 }), call({ id: '0:1', step: 0, name: 'browser', state: 'failed' })]);
    expect(summary().textContent).toBe('Used calculator · browser failed · 0.4 sec');
    fireEvent.click(summary());
    const items = await screen.findAllByRole('listitem');
    expect(items.map((item) => item.querySelector('p')?.textContent)).toEqual([
      'Used calculator · 0.4 sec',
      'browser failed',
    ]);
  });

  test('is announced once when it ends, and not while it runs nor when it is only read', () => {
    const step = show([code({ state: 'running' })], { isWriting: true });
    expect(step.announced()).toBeUndefined();
    step.become([code({ state: 'running', outputs: [{ type: 'logs', text: 'line' }] })], { isWriting: true });
    expect(step.announced()).toBeUndefined();
    step.become([code()], { isWriting: true });
    expect(step.announced()).toBe('Ran Python');
    cleanup();
    expect(show([code()]).announced()).toBeUndefined();
  });

  test('is open in an image of the page', async () => {
    show([call()], { isDrawn: true });
    expect(details()?.open).toBe(true);
    expect((await screen.findByRole('group', { name: 'What came back' })).textContent).toBe('4');
  });

  test('reasoning that a provider does not show are not drawn', () => {
    render(<Parts message={{ messageId: 'm', parts: [{ type: 'reasoning', text: '' }] }} isWriting={false} />);
    expect(document.querySelector('details')).toBeNull();
  });
});

describe('a tool that waits for approval', () => {
  const waiting = (rest: CallFacts = {}) =>
    call({
      name: 'send_mail',
      from: { source: 'action', id: 'mail', label: 'Mail' },
      state: 'waiting',
      needs: 'approval',
      output: null,
      progress: 0,
      step: 0,
      input: '{"method":"POST","url":"https://mail.example.com/send","to":"bob"}',
      ...rest,
    });
  const cards = () => screen.findAllByTestId('approval');

  test('shows where it goes and with what, and takes no focus', async () => {
    const { decided } = show([waiting()]);
    const [card] = await cards();
    expect(card?.textContent).toContain('Allow Mail?');
    expect(card?.textContent).toContain('POST mail.example.com');
    expect(card?.textContent).toContain('bob');
    expect(document.activeElement).toBe(document.body);
    fireEvent.keyDown(document.body, { key: 'Enter' });
    expect(decided).toEqual([]);
  });

  test('names the tool of a server that has many', async () => {
    const from = { source: 'action' as const, id: 'mail', label: 'Mail' };
    show([waiting({ name: 'send_action_mail---example---com', from })]);
    const [card] = await cards();
    expect(card?.textContent).toContain('Allow Mail: send?');
  });

  test('shows what is called, whatever the arguments say, and offers no always where each time is asked', async () => {
    show([
      waiting({ does: 'DELETE mail.example.com/mails/{id}', isAskedEachTime: true, input: '{"url":"a.example"}' }),
    ]);
    const [card] = await cards();
    expect(card?.querySelector('p[dir=ltr]')?.textContent).toBe('DELETE mail.example.com/mails/{id}');
    expect(within(card ?? document.body).queryByRole('button', { name: 'Always allow' })).toBeNull();
  });

  test.each([
    ['Allow', 'allow'],
    ['Always allow', 'always'],
    ['Deny', 'deny'],
  ])('%s decides', async (name, decision) => {
    const { decided } = show([waiting()]);
    fireEvent.click(await screen.findByRole('button', { name }));
    expect(decided).toEqual([{ '0:0': decision }]);
  });

  test('several are sent together when all are decided', async () => {
    const { decided } = show([waiting(), waiting({ id: '0:1' })]);
    const [first, second] = await cards();
    if (!first || !second) throw new Error('There are not two cards');
    fireEvent.click(within(first).getByRole('button', { name: 'Deny' }));
    expect(decided).toEqual([]);
    expect(within(first).getByRole('button', { name: 'Deny' }).getAttribute('aria-pressed')).toBe('true');
    fireEvent.click(within(second).getByRole('button', { name: 'Allow' }));
    expect(decided).toEqual([{ '0:0': 'deny', '0:1': 'allow' }]);
  });

  test('cannot be decided twice while it is being sent, nor once the conversation has gone on', async () => {
    const { become } = show([waiting()], { isWriting: true });
    const buttons = within((await cards())[0] ?? document.body).getAllByRole<HTMLButtonElement>('button');
    expect(buttons.filter(({ disabled }) => !disabled).map(({ textContent }) => textContent)).toEqual(['Show as JSON']);
    become([waiting()], { canDecide: false });
    expect(screen.queryByTestId('approval')).toBeNull();
    expect(summary().textContent).toBe('Waiting for your decision: Mail');
  });

  test('a sign-in opens its page in another tab, and goes on afterward', async () => {
    const { decided, become } = show([waiting({ needs: 'sign_in', signInUrl: 'https://mail.example.com/oauth' })]);
    const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Open the sign-in page' });
    expect([link.href, link.target, link.rel]).toEqual([
      'https://mail.example.com/oauth',
      '_blank',
      'noopener noreferrer',
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    fireEvent.click(screen.getByRole('button', { name: 'Go on without it' }));
    expect(decided).toEqual([{ '0:0': 'allow' }, { '0:0': 'deny' }]);
    become([waiting({ needs: 'sign_in', signInUrl: 'javascript:alert(1)' })]);
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('a call that a provider or the search before an answer makes', () => {
  const search = {
    id: 'search',
    kind: 'retrieval',
    name: 'file_search',
    input: '',
    output: null,
    progress: 1,
  } as const;

  test('is a folded line as other steps are, and unfolds to its sources', async () => {
    show([{ ...search, output: 'birds.pdf: 2, 7' }]);
    const line = document.querySelector('summary') ?? document.body;
    expect(line.textContent).toBe('Used Retrieval');
    expect(document.querySelector('details')?.open).toBe(false);
    fireEvent.click(line);
    expect((await screen.findByRole('group', { name: 'Sources' })).textContent).toBe('birds.pdf: 2, 7');
  });

  test('has nothing to unfold where nothing is known of it', () => {
    show([{ ...search, progress: 0.1 }], { isWriting: true });
    expect(document.querySelector('details')).toBeNull();
    expect(document.body.textContent).toContain('Searching my knowledge');
  });
});
