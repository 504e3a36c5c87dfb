// Texts that are asked about before they are indexed. How many tokens a text has cannot be told from its bytes, so each
// kind here has fewer tokens than fit by a quarter of its bytes, and more by its words.
import { randomBytes, randomUUID } from 'node:crypto';
import { messageText, type ContextFile } from '@parley/schema/messages/messages';
import { modelWindow } from '@parley/schema/catalog/windows';
import { countTokens } from '@parley/server/catalog/count-tokens';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { question } from '../../support/exchange.ts';
import { addFile, plainExtractor } from '../../support/retrieval/stored-files.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';

let services: TestServices;
let alice: Person;
let release: () => void;
let held: Promise<void>;

beforeAll(async () => {
  services = await openTestServices(
    { OPENAI_MODELS: 'fake:echo', TITLE_CONVO: 'false' },
    {},
    plainExtractor(() => held),
  );
  alice = await services.as('alice');
});
afterAll(() => services.close());

/** A quarter of the window of `fake:echo`. */
const TOKENS_MAX = Math.floor(modelWindow('fake:echo') / 4);

const long = (bytes: number, line: (n: number) => string) => {
  const lines: string[] = [];
  for (let length = 0, n = 0; length < bytes; n++) {
    lines.push(line(n));
    length += Buffer.byteLength(lines.at(-1) ?? '') + 2;
  }
  return lines.join('\n\n');
};
const KINDS: [name: string, line: (n: number) => string][] = [
  ['keys.txt', () => randomBytes(45).toString('base64')],
  ['log.txt', (n) => `2026-11-29T07:${n}:03.118Z id=${randomUUID()} 0x${randomBytes(8).toString('hex')} rc=-11`],
  ['灯台.txt', (n) => `第${n}章　灯台守は毎晩、油を量り、芯を整え、霧笛の回数を帳面に記す。`],
  ['φάρος.txt', (n) => `Κεφάλαιο ${n}. Ο φαροφύλακας μετρά κάθε νύχτα το λάδι και γράφει το ημερολόγιο.`],
  ['code.c', (n) => `static inline int f${n}(T*p,int i){return((p[i]^0x${n}f)>>3)&~(1<<(i%7))?-1:++i;}`],
];

describe('a text that is asked about before it is indexed', () => {
  it.each(KINDS)('a text is waited for and searched where its tokens do not fit (%s)', async (name, line) => {
    const text = long(TOKENS_MAX * 3.6, line);
    expect(Buffer.byteLength(text) / 4).toBeLessThan(TOKENS_MAX);
    expect(await countTokens(text)).toBeGreaterThan(TOKENS_MAX);
    const { said, files } = await askBeforeIndexed(name, text);
    expect(said).not.toContain('still being read');
    expect(files).toMatchObject([{ name, shown: 'passages' }]);
  });

  it('a text is shown whole at once where its tokens fit, however many bytes it has', async () => {
    const text = long(TOKENS_MAX * 5, (n) => `The international administration acknowledged application ${n}.`);
    expect(Buffer.byteLength(text) / 4).toBeGreaterThan(TOKENS_MAX);
    expect(await countTokens(text)).toBeLessThan(TOKENS_MAX);
    const { said, files, isWaitedFor } = await askBeforeIndexed('words.txt', text);
    expect(isWaitedFor).toBe(false);
    expect(said).toContain('application 50.');
    expect(files).toMatchObject([{ name: 'words.txt', shown: 'whole' }]);
  });
});

/** Reads the file only once the reply shows that it is waited for. */
async function askBeforeIndexed(name: string, text: string) {
  held = new Promise((resolve) => (release = resolve));
  const fileId = await addFile(services, alice, text, { name });
  const target = {
    kind: 'send' as const,
    messageId: randomUUID(),
    parentMessageId: null,
    text: 'What?',
    files: [fileId],
  };
  const input = question('What is in it?', { model: 'fake:echo', target });
  const { askService } = services.deps;
  await askService.ask(alice.id, input);
  let isWaitedFor = false;
  const signal = AbortSignal.timeout(60_000);
  for await (const { event } of askService.attach(alice.id, input.generationId, 0, signal)) {
    if (event.type === 'part' && event.value.type === 'tool_call' && event.value.call.progress < 1) {
      isWaitedFor = true;
      release();
    }
    if (event.type !== 'final') continue;
    release();
    const files: ContextFile[] = event.reply.context?.files ?? [];
    return { said: messageText(event.reply), files, isWaitedFor };
  }
  throw new Error('no answer');
}
