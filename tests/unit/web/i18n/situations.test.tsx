// @vitest-environment happy-dom
// Each sentence of the fixture that a part of the page says is said where it belongs: one row a sentence.
import { MantineProvider } from '@mantine/core';
import { fileLimitsOf } from '@parley/schema/files/file-limits';
import type { Message, ToolCall } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { ReactNode } from 'react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import specified from '../../../fixtures/specified-sentences.json' with { type: 'json' };
import { describeSpec, describeWarning } from '../../../../web/src/assistants/actions/action-form.ts';
import { describeSignInFailure, describeSignUpFailure } from '../../../../web/src/auth/describe-auth-failure.ts';
import { signUpErrors, type SignUpValues } from '../../../../web/src/auth/field-errors.ts';
import { FinishNotice } from '../../../../web/src/chat/message/finish-notice.tsx';
import { ToolCallView } from '../../../../web/src/chat/message/tool-call.tsx';
import { Progress } from '../../../../web/src/chat/progress/progress.tsx';
import { describeReason, type Failing } from '../../../../web/src/errors/describe-reason.ts';
import { elementOf } from '../../../../web/src/export/element-image.ts';
import { checkFiles } from '../../../../web/src/files/upload/check-files.ts';
import { describeProblem, describeUploadError } from '../../../../web/src/files/upload/describe-problem.ts';
import { i18n } from '../../../../web/src/i18n.ts';
import { keyFormOf } from '../../../../web/src/keys/key-forms.ts';
import { KeyFields } from '../../../../web/src/keys/key-fields.tsx';
import { SetTokenLogo } from '../../../../web/src/keys/set-token-logo.tsx';
import { TagsField } from '../../../../web/src/params/tags-field.tsx';
import { valueProblem } from '../../../../web/src/plugins/plugin-values.ts';
import { trpc } from '../../../../web/src/trpc.ts';
import { startEnglish } from '../start-english.ts';
import { call } from '../tools/calls.ts';
import { message } from '../chat/people.ts';

beforeAll(startEnglish);
afterEach(cleanup);

const MB = 1024 ** 2;

const rows: Record<string, () => string> = {
  'Unable to login with the information provided. Please check your credentials and try again.': () =>
    signIn(422, { type: 'invalid_credentials' }),
  'Too many login attempts in a short amount of time. Please try again later.': () =>
    signIn(429, { type: 'too_many_attempts', retryAfterSeconds: 60 }),
  'Your account has been temporarily banned due to violations of our service.': () =>
    signIn(403, { type: 'banned', until: null }),
  'There was an internal server error. Please wait a few moments and try again.': () =>
    signIn(500, { type: 'unknown', text: '' }),
  'There was an error attempting to register your account. Please try again.': () =>
    describeSignUpFailure(refusal(500, { type: 'registration_failed' }), i18n.t),
  'Name must be at least 3 characters': () => signUp({ name: 'Al' }),
  'This field is required': () => signUp({ name: '' }),
  'Email is required': () => signUp({ email: '' }),
  'Email must be at least 6 characters': () => signUp({ email: 'a@b.c' }),
  'Email should not be longer than 120 characters': () => signUp({ email: `${'a'.repeat(120)}@example.com` }),
  'You must enter a valid email address': () => signUp({ email: 'alice.example' }),
  'Password must be at least 8 characters': () => signUp({ password: 'short', confirm_password: 'short' }),
  'Password must be less than 128 characters': () =>
    signUp({ password: 'x'.repeat(128), confirm_password: 'x'.repeat(128) }),
  'Passwords do not match': () => signUp({ confirm_password: 'another' }),

  'Error connecting to server': () => {
    const question = message('question', 1, { isCreatedByUser: true });
    const reply = message('reply', 2);
    const waiting = { generationId: 'g', conversationId: 'lisbon', request: question, reply, why: null };
    return drawn(<Progress exchange={{ status: 'queued', ...waiting }} reply={reply} />);
  },
  'Unexpected response from server; Status: {} {}': () =>
    say({ type: 'unexpected_answer', status: 404, statusText: 'Not Found' }),
  'Unknown endpoint: {}': () => say({ type: 'not_found', what: 'endpoint' }, { endpoint: 'Groq' }),

  'Only {} message(s) at a time. Please allow any other responses to complete before sending another message, or wait one minute.':
    () => say({ type: 'concurrent', limit: 2 }),
  'You hit the message limit. You have a cap of {} message(s) per {} minute(s).': () =>
    say({ type: 'message_limit', max: 40, windowInMinutes: 5, limiter: 'user' }),
  'Insufficient Funds! Balance: {}. Prompt tokens: {}. Cost: {}.': () =>
    say({ type: 'token_balance', balance: 10_000, promptTokens: 1_200, tokenCost: 30_000 }),
  "Something went wrong. Here's the specific error message we encountered: {}": () =>
    noticeUnder({ reason: { type: 'unknown', text: 'out of cheese' } }),
  'Please check your API key, or set it with "Set Token" on the model logo.': () =>
    say({ type: 'invalid_api_key', endpoint: 'openAI' }, { takesKey: true }),
  'The content was flagged by the moderation system and was not sent. Please edit your message or start a new conversation.':
    () => say({ type: 'moderation' }),
  'No key found.': () => say({ type: 'no_user_key', endpoint: 'openAI' }),
  'No base URL found.': () => say({ type: 'no_base_url', endpoint: 'openAI' }),
  'Invalid key': () => say({ type: 'invalid_user_key', endpoint: 'openAI' }),
  'key for {} expired at {}': () => say({ type: 'expired_user_key', endpoint: 'openAI', expiredAt: 'noon' }),
  'The default API key': () => say({ type: 'insufficient_quota', endpoint: 'openAI' }),
  "The response is incomplete; it's either still processing, was cancelled, or censored. Refresh or try a different prompt.":
    () => noticeUnder({ unfinished: true }),
  'Set Token': () => {
    drawn(<SetTokenLogo message={message('reply', 2, { reason: REFUSED_KEY })}>logo</SetTokenLogo>);
    return screen.getByRole('button').getAttribute('aria-label') ?? '';
  },

  'You can only upload up to {} files at a time.': () => attach(...['a', 'b', 'c'].map((name) => file(`${name}.txt`))),
  'Unable to determine file type for: {}': () => attach(file('noise', 'application/octet-stream')),
  'Currently, unsupported file type: {}': () => attach(file('tune.mp3', 'audio/mpeg')),
  'File size exceeds {} MB.': () => attach(file('a.txt', 'text/plain', 2 * MB + 1)),
  'The total size of the files cannot exceed {} MB.': () =>
    attach(file('a.txt', 'text/plain', 2 * MB), file('b.txt', 'text/plain', 2 * MB)),
  'Duplicate file detected.': () => attach(file('a.txt'), file('a.txt')),
  'An error occurred while uploading the file.': () => describeUploadError(new Error('no answer'), i18n.t),

  'OpenAPI spec is valid.': () => describeSpec('valid', i18n.t),
  'Error parsing OpenAPI spec.': () => describeSpec('unreadable', i18n.t),
  'No paths found in the OpenAPI spec.': () => describeSpec('no_paths', i18n.t),
  'Could not find a valid URL in `servers`': () => describeSpec('no_url', i18n.t),
  'Reference {} not found': () => describeWarning('Reference #/components/schemas/Pet not found', i18n.t),
  'Unsupported HTTP method': () => describeWarning('Unsupported HTTP method: TRACE /pets', i18n.t),

  'The following fields are required: {}': () => {
    const form = keyFormOf('custom', true);
    drawn(<KeyFields endpoint="Groq" form={form} isSaved={false} onClose={() => {}} />);
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    return document.body.textContent ?? '';
  },
  '{} is required.': () => valueProblem({ field: 'KEY', label: 'Key' }, '', i18n.t) ?? '',
  '{} must be at least 10 characters long': () =>
    valueProblem({ field: 'KEY', label: 'Key' }, 'x'.repeat(9), i18n.t) ?? '',
  'Cannot remove more values, a minimum of {} are required': () => pressInTags(['a', 'b'], 'Backspace', ''),
  'Maximum number allowed is {}, using latest values': () => pressInTags(['a', 'b', 'c'], 'Enter', 'd'),

  'You should provide correct html node.': () => thrownBy(() => elementOf(null, i18n.t)),
  'Ref callback is not supported.': () => thrownBy(() => elementOf(() => {}, i18n.t)),
  'Ref is not attached to any element.': () => thrownBy(() => elementOf({ current: null }, i18n.t)),

  'Searching my knowledge': () => step({ kind: 'retrieval', progress: 0.1, output: null }, true),
  'Used Retrieval': () => step({ kind: 'retrieval', progress: 1 }),
  Analyzing: () => step({ kind: 'code_interpreter', progress: 0.1, output: null }, true),
  'Finished analyzing': () => step({ kind: 'code_interpreter', progress: 1 }),
  'Creating Image': () => step({ name: 'dalle', progress: 0.1, output: null }, true),
  Finished: () => step({ name: 'dalle', progress: 1 }),
};

const REFUSED_KEY: Reason = { type: 'invalid_api_key', endpoint: 'openAI' };

test.each(Object.entries(rows))('“%s” is said in its situation', (sentence, situation) => {
  expect(plain(situation())).toMatch(patternOf(sentence));
});

/** The tests of the actions of a chat have it. */
const ELSEWHERE = ['undefined endpoint'];

test('every sentence has its situation', () => {
  expect([...Object.keys(rows), ...ELSEWHERE].toSorted()).toEqual(specified.unit.toSorted());
});

function signIn(status: number, reason: Reason): string {
  return describeSignInFailure(refusal(status, reason), i18n.t);
}

function refusal(httpStatus: number, reason: Reason): unknown {
  return TRPCClientError.from({ error: { message: '', code: -32_000, data: { httpStatus, reason } } } as never);
}

function signUp(change: Partial<SignUpValues>): string {
  const fine = {
    name: 'Alice',
    username: '',
    email: 'alice@example.com',
    password: 'longenough',
    confirm_password: 'longenough',
  };
  const [key] = Object.values(signUpErrors({ ...fine, ...change }));
  return key ? i18n.t(key) : '';
}

function say(reason: Reason, failing: Failing = {}): string {
  return describeReason(reason, i18n.t, failing);
}

function drawn(page: ReactNode): string {
  // The server offers OpenAI to people with keys of their own, and answers nothing else.
  const queryClient = new QueryClient();
  const client = trpc.createClient({
    links: [
      () =>
        ({ op }) =>
          observable((told) => {
            if (op.path !== 'endpoints.list') return;
            told.next({ result: { type: 'data', data: { openAI: { userProvide: true, order: 0 } } } });
            told.complete();
          }),
    ],
  });
  queryClient.setQueryData([['endpoints', 'list'], { type: 'query' }], { openAI: { userProvide: true, order: 0 } });
  render(
    <trpc.Provider client={client} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <MantineProvider>{page}</MantineProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  );
  return document.body.textContent ?? '';
}

function noticeUnder(rest: Partial<Message>): string {
  return drawn(<FinishNotice message={message('reply', 2, rest)} onRetry={undefined} />);
}

function step(rest: Partial<ToolCall>, isWriting = false): string {
  return drawn(<ToolCallView stepKey="0" call={call(rest)} isWriting={isWriting} isDrawn={false} />);
}

interface Chosen {
  file: { name: string; size: number };
  mime: string;
}

function file(name: string, mime = 'text/plain', size = 3): Chosen {
  return { file: { name, size }, mime };
}

function attach(...files: Chosen[]): string {
  const limits = fileLimitsOf('openAI', {
    endpoints: { openAI: { fileLimit: 2, fileSizeLimit: 2, totalSizeLimit: 3 } },
  });
  const [found] = checkFiles(files, [], limits).problems;
  return found ? describeProblem(found.problem, i18n.t) : '';
}

function pressInTags(value: string[], key: string, typed: string): string {
  const words = { label: 'Stop', help: undefined, placeholder: undefined };
  const param = { kind: 'tags', min: 2, max: 3, default: [] } as const;
  drawn(<TagsField param={{ ...param, default: [] }} words={words} value={value} isOff={false} onChange={vi.fn()} />);
  const box = screen.getByRole('textbox', { name: 'Stop' });
  fireEvent.change(box, { target: { value: typed } });
  fireEvent.keyDown(box, { key });
  return document.body.textContent ?? '';
}

function thrownBy(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return '';
}

function plain(said: string): string {
  return said.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"');
}

/** `{}` stands for what is filled in, and may be a block of its own. */
function patternOf(sentence: string): RegExp {
  return new RegExp(
    sentence
      .split(/ ?\{\}/)
      .map(escaped)
      .join('\\s*.+'),
  );
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}
