// @vitest-environment happy-dom
import type { User } from '@parley/schema/accounts/users';
import { act, cleanup, render, screen } from '@testing-library/react';
import { getDefaultStore } from 'jotai/vanilla';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { isDemoEnoughAtom } from '../../../../../web/src/catalog/demo-enough.ts';
import { DemoNote } from '../../../../../web/src/chat/landing/demo-note.tsx';
import { session } from '../../../../../web/src/session/current-session.ts';
import { startEnglish } from '../../start-english.ts';

beforeAll(startEnglish);
afterEach(cleanup);

test.each([
  ['ADMIN', 'Add a provider'],
  ['USER', 'An administrator'],
] as const)('the demo says that its answers are prepared, and the next step: %s reads “%s”', async (role, step) => {
  await session.signIn(() =>
    Promise.resolve({ token: 'a.b.c', user: { id: '1', name: 'Ada Lovelace', role } as User }),
  );
  render(<DemoNote modelTarget={{ endpoint: 'Demo', model: 'parley-demo' }} />);
  const isAdmin = role === 'ADMIN';
  // While the card above the chat has the next step, the note leaves it out.
  expect(screen.getByText(/prepared texts/).textContent?.includes(step)).toBe(!isAdmin);
  if (isAdmin) act(() => getDefaultStore().set(isDemoEnoughAtom, true));
  expect(screen.getByText(/prepared texts/).textContent).toContain(step);
});

test.each([
  ['openAI', 'gpt-4'],
  ['Demo', 'llama'],
  ['Demo', null],
])('%s with the model %s says nothing of it', (endpoint, model) => {
  const { container } = render(<DemoNote modelTarget={{ endpoint, model }} />);
  expect(container.textContent).toBe('');
});
