// People who ask and read through the balancer, and who rename conversations and upload files all the while.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskInput } from '@parley/schema/chat/ask';
import { asFields } from '@parley/schema/json';
import { createDevice, registerAccount, type Account, type Device } from '../api-client.ts';
import { openViewer, serverRefusal, type Viewer } from '../chaos/viewer.ts';

/** A question whose answer is `natural`: other words for each question. */
export interface Asked {
  device: Device;
  question: string;
  input: AskInput;
  acknowledged: boolean;
  viewer: Viewer;
  /** When its reader got each event, in milliseconds of `performance.now()`. */
  heardAt: number[];
  /** The number of the last rename that was confirmed. */
  renamed: number;
}

/** A file that the server has confirmed. */
export interface Uploaded {
  text: string;
  /** Reads it as its owner. */
  read(): Promise<string>;
}

export interface LoadOptions {
  url: string;
  answers: number;
  /** The answers' tokens, and the milliseconds between two. */
  tokens: number;
  every: number;
}

const ANSWERS_PER_PERSON = 5;
const RETRY_MS = 200;
const RENAME_EVERY_MS = 1000;
const RENAMES_PER_UPLOAD = 4;
/** A request that is not answered for so long is given up, as a browser does. */
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 50;
/** Every reader has so many events, or the end of its answer, before anything is killed. */
const BEGUN = 5;

export interface Load {
  asked: Asked[];
  uploaded: Uploaded[];
  /** Requests that failed or were refused, by how. */
  refusals: Map<string, number>;
  /** Resolves when every answer is asked for and has begun to be read. */
  begun: Promise<void>;
  /** Resolves when every reader has the end of its answer, and the last rename is answered. */
  ended: Promise<void>;
  leave(): Promise<void>;
}

/** `scenario:arg` of the provider's answers. */
export function scenarioArgument({ tokens, every }: Pick<LoadOptions, 'tokens' | 'every'>): string {
  return `${tokens}@${every}`;
}

export async function startLoad(options: LoadOptions): Promise<Load> {
  const { url, answers } = options;
  const refusals = new Map<string, number>();
  const registered = Array.from({ length: Math.ceil(answers / ANSWERS_PER_PERSON) }, () =>
    registerAccount(url, `p${randomUUID().slice(0, 8)}`),
  );
  const people = (await Promise.all(registered)).map((account) => ({ account, device: createDevice(url, account) }));
  const uploaded: Uploaded[] = [];
  const asked = Array.from({ length: answers }, (_, n) => {
    const person = people[n % people.length];
    if (!person) throw new Error('There is nobody who asks');
    return createAsked(
      person.device,
      `[[natural:${scenarioArgument(options)}]] This is question ${n} of ${randomUUID()}.`,
    );
  });
  const asking = Promise.all(asked.map((one) => askUntilAccepted(one, refusals)));
  const read = Promise.all(asked.map(({ viewer }) => viewer.done));
  let isOver = false;
  const begun = asking.then(() => untilBegun(asked));
  const writing = begun.then(() => Promise.all(people.map((person) => keepWriting(person))));
  return {
    asked,
    uploaded,
    refusals,
    begun,
    ended: read.then(() => ((isOver = true), writing)).then(() => undefined),
    async leave() {
      for (const { viewer } of asked) viewer.leave();
      await Promise.all(people.map(({ device }) => device.close()));
    },
  };

  async function keepWriting({ account, device }: { account: Account; device: Device }): Promise<void> {
    const own = asked.filter((one) => one.device === device);
    for (let n = 1; !isOver; n++) {
      const one = own[n % own.length];
      if (one) await rename(one, n, refusals);
      if (n % RENAMES_PER_UPLOAD === 0)
        await upload(url, account).then(
          (file) => uploaded.push(file),
          (error: unknown) => count(refusals, 'upload', error),
        );
      await sleep(RENAME_EVERY_MS);
    }
  }
}

function createAsked(device: Device, question: string): Asked {
  const ids = { generationId: randomUUID(), conversationId: randomUUID(), replyId: randomUUID() };
  const target = { kind: 'send' as const, messageId: randomUUID(), parentMessageId: null, text: question };
  const input: AskInput = { ...ids, endpoint: 'openAI', model: null, settings: {}, target };
  const heardAt: number[] = [];
  const asked: Omit<Asked, 'viewer'> = { device, question, input, heardAt, acknowledged: false, renamed: 0 };
  const viewer = openViewer(
    device,
    input.generationId,
    () => (whole.acknowledged ? null : 'not yet'),
    () => heardAt.push(performance.now()),
  );
  const whole = Object.assign(asked, { viewer });
  return whole;
}

/** With the same ids again until the server accepts, as a browser does. */
async function askUntilAccepted(asked: Asked, refusals: Map<string, number>): Promise<void> {
  while (!asked.acknowledged) {
    try {
      await asked.device.api.messages.ask.mutate(asked.input, { signal: AbortSignal.timeout(PATIENCE_MS) });
      asked.acknowledged = true;
    } catch (error) {
      count(refusals, 'ask', error);
      await sleep(RETRY_MS);
    }
  }
}

async function rename(asked: Asked, n: number, refusals: Map<string, number>): Promise<void> {
  const { conversationId } = asked.input;
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    await asked.device.api.convos.rename.mutate({ conversationId, title: titleOf(n) }, { signal });
    asked.renamed = n;
  } catch (error) {
    count(refusals, 'rename', error);
  }
}

/** Resolves when the server has confirmed a file. */
async function upload(url: string, account: Account): Promise<Uploaded> {
  const id = randomUUID();
  const text = `The content of ${id}`;
  const form = new FormData();
  form.append('file_id', id);
  form.append('endpoint', 'openAI');
  form.append('file', new Blob([text], { type: 'text/plain' }), `${id}.txt`);
  const call = async (path: string, body?: FormData) => {
    const headers = { authorization: `Bearer ${await account.token()}` };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(url + path, { headers, signal, ...(body && { method: 'POST', body }) });
    if (!response.ok) throw new Error(String(response.status));
    return response;
  };
  const { user, file_id: fileId } = asFields(await (await call('/api/files', form)).json());
  return { text, read: async () => (await call(`/api/files/download/${user}/${fileId}`)).text() };
}

function titleOf(n: number): string {
  return `Title ${n}`;
}

/** The number of a title that was given by a rename; 0 for another. */
export function readRenameNumber(title: string | null): number {
  return Number(/^Title (\d+)$/.exec(title ?? '')?.[1] ?? 0);
}

function count(refusals: Map<string, number>, what: string, error: unknown): void {
  const kind = `${what}: ${serverRefusal(error)?.type ?? (error instanceof Error ? error.message : String(error))}`;
  refusals.set(kind, (refusals.get(kind) ?? 0) + 1);
}

async function untilBegun(asked: readonly Asked[]): Promise<void> {
  // On a busy machine a reader may come when its answer has ended: it gets the end alone.
  const isWaiting = ({ heardAt, viewer }: Asked) => heardAt.length < BEGUN && viewer.final === null;
  while (asked.some(isWaiting)) await sleep(LOOK_EVERY_MS);
}
