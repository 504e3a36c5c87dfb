// Calls that are refused until one proves who one is: they wait for the dialog, and are repeated after it.
// @vitest-environment happy-dom
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reason } from '@parley/schema/reasons';
import { TRPCClientError, type Operation, type OperationResultEnvelope } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { describe, expect, test, vi } from 'vitest';
import { canUsePasskeys } from '../../../../web/src/auth/passkeys/passkeys.ts';
import { answerStepUps, stepUpLink } from '../../../../web/src/session/step-up.ts';

const NEEDED: Reason = { type: 'step_up_needed', by: 'password', kinds: [] };

/** A server that refuses for `reason` until it is proven. */
function serverOf(reason: Reason) {
  const server = { isProven: false, asked: [] as unknown[] };
  const call = (input: unknown): Promise<unknown> => {
    const op: Operation = { id: 1, type: 'mutation', path: 'keys.save', input, context: {}, signal: null };
    const link = stepUpLink()({});
    return new Promise((resolve, reject) => {
      link({ op, next: answer }).subscribe({
        next: ({ result }) => resolve('data' in result ? result.data : null),
        error: reject,
      });
    });
  };
  return { server, call };

  function answer(op: Operation) {
    return observable<OperationResultEnvelope<unknown, TRPCClientError<never>>, TRPCClientError<never>>((observer) => {
      server.asked.push(op.input);
      if (!server.isProven) return observer.error(refused(reason));
      observer.next({ result: { type: 'data', data: 'done' } });
      observer.complete();
    });
  }
}

function refused(reason: Reason): TRPCClientError<never> {
  const error = { message: '', code: -32603, data: { reason, httpStatus: 403 } };
  return TRPCClientError.from({ error });
}

describe('a call that needs a proof', () => {
  test('is repeated with what was typed after one dialog for all that wait', async () => {
    const { server, call } = serverOf(NEEDED);
    const ask = vi.fn(async () => {
      await sleep(1);
      return (server.isProven = true);
    });
    const stop = answerStepUps(ask);
    expect(await Promise.all([call('one'), call('two')])).toEqual(['done', 'done']);
    expect(ask.mock.calls).toEqual([[NEEDED]]);
    expect(server.asked.toSorted()).toEqual(['one', 'one', 'two', 'two']);
    stop();
  });

  test('fails with its reason where the dialog is closed, or no room shows one', async () => {
    const { server, call } = serverOf(NEEDED);
    await expect(call('one')).rejects.toMatchObject({ data: { reason: NEEDED } });
    const stop = answerStepUps(async () => false);
    await expect(call('two')).rejects.toMatchObject({ data: { reason: NEEDED } });
    expect(server.asked).toEqual(['one', 'two']);
    stop();
  });

  test('is asked for by the newest room, and by none for another reason', async () => {
    const { server, call } = serverOf(NEEDED);
    const older = vi.fn(async () => false);
    const stops = [answerStepUps(older), answerStepUps(async () => (server.isProven = true))];
    expect(await call('one')).toBe('done');
    const other = serverOf({ type: 'forbidden' });
    await expect(other.call('two')).rejects.toMatchObject({ data: { reason: { type: 'forbidden' } } });
    expect(older).not.toHaveBeenCalled();
    for (const stop of stops) stop();
  });
});

test('passkeys are offered at a name in a secure context alone', () => {
  vi.stubGlobal('isSecureContext', true);
  vi.stubGlobal('PublicKeyCredential', class {});
  const at = (hostname: string) => canUsePasskeys({ hostname } as Location);
  expect(['chat.example.com', 'localhost', '127.0.0.1', '[::1]'].map(at)).toEqual([true, true, false, false]);
  vi.stubGlobal('isSecureContext', false);
  expect(at('chat.example.com')).toBe(false);
  vi.unstubAllGlobals();
});
