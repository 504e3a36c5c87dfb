import { refusedRequest } from '@parley/server/rest/errors';
import { Email } from '@parley/schema/accounts/users';
import { TRPCError } from '@trpc/server';
import { expect, it } from 'vitest';
import * as z from 'zod';

const Form = z.object({ email: Email, name: z.string('Name is required') });

it('a form without values has one sentence for each field', () => {
  const { error } = Form.safeParse({ email: '' });
  const refusal = refusedRequest(new TRPCError({ code: 'BAD_REQUEST', cause: error }));
  expect(refusal?.text).toBe('email: Email is required name: Name is required');
});
