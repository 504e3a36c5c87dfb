// (t) What a chat knows: how much later the first text comes where memory is on and the chat is in a project of 100
// files, beside a plain chat of the same run. KNOWN_ROUNDS in the environment makes it smaller.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskInput } from '@parley/schema/chat/ask';
import { FOLDER_FILES_MAX } from '@parley/schema/convos/folder-rules';
import { createDevice, registerAccount, type Device } from '../../api-client.ts';
import { startHelper } from '../child-process.ts';
import { atMost, median, ms, nearlyAll, printFigures, type Figure } from '../figures.ts';
import { inTurns, note, pairs, type Pairs } from './compare.ts';
import { sendFile, type Sender } from './post-file.ts';
import { openParley } from '../parley-server.ts';
import type { ProviderCalls } from '../provider-process.ts';

const ROUNDS = Number(process.env.KNOWN_ROUNDS ?? 60);
const MEMORIES = 200;
/** Of a file; 100 of them are far more than the window of the model. */
const FILE_CHARS = 20_000;
const READ_EVERY_MS = 250;
/** What it may be later by (the target of projects and memory). */
const LATER_MS = 60;
const UNLIMITED = {
  FILES_MAX_MB_PER_USER: '1000',
  FILE_UPLOAD_USER_MAX: '1000',
  FILE_UPLOAD_IP_MAX: '1000',
  LIMIT_MESSAGE_USER: 'false',
};
const TOPICS = ['ferry', 'orchard', 'lighthouse', 'granary', 'quarry', 'weir', 'meadow', 'viaduct'] as const;

/** Prints the table and returns how many targets were missed. */
export async function benchKnown(): Promise<number> {
  const provider = startHelper<ProviderCalls>('./provider-process.ts');
  const parley = await openParley(await provider.url(), { TITLE_CONVO: 'false', ...UNLIMITED });
  const { url } = parley.server;
  const account = await registerAccount(url, 'known');
  const device = createDevice(url, account);
  try {
    const folderId = await learn(device, { id: '', url, token: await account.token() });
    const runs = pairs();
    for (let round = 0; round <= ROUNDS; round++) {
      const times = await inTurns(round, {
        bare: () => untilText(device, { settings: { memory: false, personal: false } }),
        parley: () => untilText(device, { folderId, settings: {} }),
      });
      // The first round warms up.
      if (round > 0) note(runs, times);
    }
    const figures = [later('median', runs, median), later('p95', runs, nearlyAll)];
    return printFigures(`(t) what a chat knows: ${FOLDER_FILES_MAX} files, ${MEMORIES} memories`, figures);
  } finally {
    await device.close();
    await parley.close();
    await provider.end();
  }
}

/** Writes what chats know; returns the folder of the files, which are read by then. */
async function learn({ api }: Device, sender: Sender): Promise<string> {
  await api.memories.setMode.mutate({ mode: 'on' });
  for (let n = 0; n < MEMORIES; n++)
    await api.memories.save.mutate({
      id: randomUUID(),
      scope: '',
      text: `I was at the ${topic(n)} in the year ${1800 + n}`,
    });
  const isOn = { about: true, style: true };
  await api.settings.set.mutate({ personal: { about: 'I keep bees.', style: 'Be brief.', isOn, exceptEndpoints: [] } });
  const fileIds: string[] = [];
  for (let n = 0; n < FOLDER_FILES_MAX; n++)
    fileIds.push(await sendFile(sender, new File([textOf(n)], `notes-${n}.txt`, { type: 'text/plain' })));
  const { id: folderId } = await api.folders.create.mutate({ id: randomUUID(), name: 'Known' });
  await api.folders.setFiles.mutate({ folderId, fileIds });
  while (!(await api.folders.files.query({ id: folderId })).every(({ document }) => document?.state === 'ready'))
    await sleep(READ_EVERY_MS);
  console.log('  files read');
  return folderId;
}

function textOf(n: number): string {
  const line = `In the year ${1700 + n} the ${topic(n)} of valley ${n} was mended by ${n + 3} people, who wrote it down. `;
  return line.repeat(Math.ceil(FILE_CHARS / line.length));
}

function topic(n: number): string {
  return TOPICS[n % TOPICS.length] ?? '';
}

/** Asks in a new chat, and resolves at the first text of the answer. */
async function untilText(device: Device, over: Pick<AskInput, 'folderId' | 'settings'>): Promise<void> {
  const text = `[[plain]] Who mended the ${topic(0)} of valley 0, and when?`;
  const generationId = randomUUID();
  await device.api.messages.ask.mutate({
    generationId,
    conversationId: randomUUID(),
    replyId: randomUUID(),
    endpoint: 'openAI',
    model: 'gpt-4',
    target: { kind: 'send', messageId: randomUUID(), parentMessageId: null, text },
    ...over,
  });
  await new Promise<void>((resolve, reject) => {
    const stream = device.api.messages.attach.subscribe(
      { generationId },
      {
        onData({ data }) {
          if (data.type !== 'text') return;
          stream.unsubscribe();
          resolve();
        },
        onError: reject,
      },
    );
  });
}

function later(name: string, { bare, parley }: Pairs, of: (times: readonly number[]) => number): Figure {
  const difference = of(parley) - of(bare);
  return {
    name: `from the question to the first text, ${name} of ${bare.length}`,
    cells: { plain: ms(of(bare)), knowing: ms(of(parley)), later: ms(difference) },
    target: atMost(difference, LATER_MS, ' ms later'),
  };
}
