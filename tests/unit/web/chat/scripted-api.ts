// A server in a few lines, for the browser's side of an exchange: each call waits until a test answers it.
import { TRPCClientError } from '@trpc/client';
import type { AskInput } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { Reason } from '@parley/schema/reasons';
import { reasonStatus } from '@parley/server/platform/reasons';
import type { AskResult, AttachListener, ChatApi } from '../../../../web/src/chat/exchanges/chat-api.ts';

interface Call<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

export interface ScriptedApi extends ChatApi {
  asks: (Call<AskResult> & { input: AskInput })[];
  aborts: (Call<FinalEvent | null> & { generationId: string })[];
  readings: { generationId: string; listener: AttachListener; isOpen: boolean }[];
}

export function createScriptedApi(): ScriptedApi {
  const asks: ScriptedApi['asks'] = [];
  const aborts: ScriptedApi['aborts'] = [];
  const readings: ScriptedApi['readings'] = [];
  return {
    asks,
    aborts,
    readings,
    ask: (input) => new Promise((resolve, reject) => asks.push({ input, resolve, reject })),
    abort: (generationId) => new Promise((resolve, reject) => aborts.push({ generationId, resolve, reject })),
    attach(generationId, listener) {
      const reading = { generationId, listener, isOpen: true };
      readings.push(reading);
      return () => void (reading.isOpen = false);
    },
  };
}

/** What the client throws when the server refuses. */
export function refusal(reason: Reason): TRPCClientError<never> {
  const error = new TRPCClientError<never>(reason.type);
  Object.assign(error, { data: { reason, httpStatus: reasonStatus(reason) } });
  return error;
}

/** What it throws when nobody answers. */
export function silence(): TRPCClientError<never> {
  return new TRPCClientError<never>('Failed to fetch');
}
