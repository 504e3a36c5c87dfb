// @vitest-environment happy-dom
// What stands under a reply that called tools when it ended.
import { MantineProvider } from '@mantine/core';
import type { Message, ToolCall } from '@parley/schema/messages/messages';
import { NO_MORE_CALLS } from '@parley/schema/tools/no-more-calls';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { observable } from '@trpc/server/observable';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { FinishNotice } from '../../../../web/src/chat/message/finish-notice.tsx';
import { startEnglish } from '../start-english.ts';
import { trpc } from '../../../../web/src/trpc.ts';
import { call } from './calls.ts';
import { message } from '../chat/people.ts';

beforeAll(startEnglish);
afterEach(cleanup);

const pressed: string[] = [];

function show(calls: ToolCall[], rest: Partial<Message>, onAskOther?: () => void): void {
  const parts = calls.map((one) => ({ type: 'tool_call' as const, call: call({ step: 0, ...one }) }));
  const queryClient = new QueryClient();
  pressed.splice(0);
  render(
    <trpc.Provider client={trpc.createClient({ links: [() => () => observable(() => {})] })} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider>
          <FinishNotice
            message={message('a', 1, { parts, ...rest })}
            onRetry={() => pressed.push('retry')}
            onContinue={() => pressed.push('continue')}
            onAskOther={onAskOther}
          />
        </MantineProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  );
}

const cut: Partial<Message> = { unfinished: true, finishReason: 'incomplete', reason: { type: 'interrupted' } };
const mail = (rest: Partial<ToolCall>) =>
  call({ name: 'mcp_post_send', from: { source: 'mcp', id: 'post', label: 'post' }, ...rest });

test('a reply that was cut in a call says that the call may be made again, and offers to continue first', () => {
  show([call(), mail({ state: 'unknown' })], cut);
  expect(screen.getByTestId('message-error').textContent).toContain('post: send');
  expect(screen.getByTestId('message-error').textContent).not.toContain('censored');
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Continue', 'Try again']);
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(pressed).toEqual(['continue']);
});

test('a reply that was cut between calls says that the server was restarted', () => {
  show([call()], cut);
  expect(screen.getByTestId('message-error').textContent).toContain('The server was restarted');
  expect(screen.getAllByRole('button')[0]?.textContent).toBe('Continue');
});

test('a reply that was cut without calls says that it is incomplete', () => {
  show([], cut);
  expect(screen.getByTestId('message-error').textContent).toContain(
    "The response is incomplete; it's either still processing, was cancelled, or censored.",
  );
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Try again']);
});

test('a reply that used its tools up says so, and speaks of no length', () => {
  show([call(), call({ state: 'failed', output: `error processing tool: ${NO_MORE_CALLS}` })], {
    finishReason: 'length',
  });
  expect(document.body.textContent).toContain('used as many tools');
  expect(document.body.textContent).not.toContain('length limit');
});

test('a refused question has the words of the provider, who refused it, and the steps below both', () => {
  show([], {
    reason: { type: 'provider_refused', status: 400, text: '{"error":{"message":"max_tokens is too large"}}' },
  });
  const card = screen.getByTestId('message-error');
  const [sentence, quote, refused, steps] = [...card.children];
  expect(sentence?.textContent).toBe("Something went wrong. Here's the specific error message we encountered:");
  expect(quote?.textContent).toBe('max_tokens is too large');
  expect(refused?.textContent).toMatch(/did not accept this question\.$/);
  expect([...(steps?.children ?? [])].map((step) => step.textContent)).toEqual(['Try again']);
  expect(card.textContent).not.toContain('400');
});

test('a reply whose model was taken away from its person says so, and offers another model instead of another try', () => {
  show([], { reason: { type: 'model_not_yours', endpoint: 'openAI', model: 'gpt-4' } }, () => undefined);
  const card = screen.getByTestId('message-error');
  expect(card.textContent).toContain('gpt-4');
  expect(card.textContent).toContain('administrator');
  const steps = screen.getAllByRole('button').map((button) => button.textContent);
  expect(steps).not.toContain('Try again');
  expect(steps).toContain('Try with another model');
});
