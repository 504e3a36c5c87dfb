// @vitest-environment happy-dom
// Administrators read and give money in dollars, as everybody does.
import { MantineProvider } from '@mantine/core';
import type { PersonRow } from '@parley/schema/accounts/people';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { observable } from '@trpc/server/observable';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { describeEvent } from '../../../../web/src/admin/audit/describe-event.ts';
import { PersonTaskDialog } from '../../../../web/src/admin/people/person-task.tsx';
import { i18n } from '../../../../web/src/i18n.ts';
import { trpc } from '../../../../web/src/trpc.ts';
import { startEnglish } from '../start-english.ts';

beforeAll(startEnglish);
afterEach(cleanup);

const person: PersonRow = {
  id: 'u1',
  name: 'Bob',
  email: 'bob@example.com',
  provider: 'local',
  role: 'USER',
  state: 'active',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastSeenAt: null,
  deletionDueAt: null,
  hasSecondFactor: false,
};

test('an amount in dollars, with a point or a comma, is added as credits', async () => {
  const asked: unknown[] = [];
  const client = trpc.createClient({
    links: [
      () =>
        ({ op }) => {
          asked.push(op.input);
          return observable(() => {});
        },
    ],
  });
  render(
    <trpc.Provider client={client} queryClient={new QueryClient()}>
      <QueryClientProvider client={new QueryClient()}>
        <MantineProvider>
          <PersonTaskDialog task={{ kind: 'credits', person }} onClose={() => {}} />
        </MantineProvider>
      </QueryClientProvider>
    </trpc.Provider>,
  );
  const field = screen.getByLabelText('Amount in US dollars');
  const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add to the balance' });
  for (const wrong of ['', '0', 'ten', '10000']) {
    fireEvent.change(field, { target: { value: wrong } });
    expect(add.disabled, wrong).toBe(true);
  }
  fireEvent.change(field, { target: { value: '2,5' } });
  fireEvent.click(add);
  await waitFor(() => expect(asked).toEqual([{ userId: 'u1', credits: 2_500_000 }]));
});

test('the credits that were added are shown in dollars', () => {
  const details = { name: 'Bob', email: 'bob@example.com', credits: 2_500_000 };
  const event = { event: 'person.balance_added', actorId: 'u2', actor: 'Ada', details };
  expect(describeEvent(event, i18n.t)).toContain('added $2.50 to the balance of');
});

test('the log says what a sign-in site changed', () => {
  const details = { name: 'Bob', email: 'bob@example.com', group: 'Staff', by: 'openid' };
  const event = { event: 'group.member_added', actorId: null, actor: null, details };
  expect(describeEvent(event, i18n.t)).toMatch(/^OpenID added .*Bob.* to the group .*Staff/);
  expect(describeEvent({ ...event, details: { ...details, by: null } }, i18n.t)).toMatch(/^The operator added/);
});
