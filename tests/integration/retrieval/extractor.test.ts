// Files read in processes. Limits are injected; no test waits for one or measures.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { build } from '@parley/scripts/build';
import type { WorkerOrder } from '@parley/server/retrieval/extract-worker';
import type { createExtractor } from '@parley/server/retrieval/extractor';
import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { builtExtractWorker, createBuiltExtractor } from '../../support/retrieval/built-extractor.ts';
import { lines, makePdfPages, types, writeDocument } from '../../support/retrieval/documents.ts';

const never = new AbortController().signal;
const extractors: ReturnType<typeof createExtractor>[] = [];
beforeAll(() => build());
afterEach(() => Promise.all(extractors.splice(0).map((extractor) => extractor.close())));

const page = lines(['The lighthouse stands on the northern cliff.', 700]);
/** Keeps a worker busy for minutes. */
const endless = () => writePdf(makePdfPages(Array.from({ length: 3000 }, () => page.repeat(50))));

describe('an extractor', () => {
  it('reads files of all kinds, two at once', async () => {
    const extractor = create();
    const pdf = writePdf(makePdfPages([page, page]));
    const text = { path: writeDocument('Grüße'), mime: types.plain, name: 'a.txt' };
    const [first, second] = await Promise.all([extractor.extract(pdf, never), extractor.extract(text, never)]);
    expect(first).toMatchObject({ type: 'text', pages: 2, characters: 88, chunks: [{ page: 1 }, { page: 2 }] });
    expect(second).toMatchObject({ type: 'text', pages: null, chunks: [{ n: 0, body: 'Grüße' }] });
  });

  it('hands over many chunks in their order', async () => {
    const text = Array.from({ length: 40_000 }, (_, n) => `Sentence number ${n}.`).join(' ');
    const outcome = await create().extract({ path: writeDocument(text), mime: types.plain, name: 'a.txt' }, never);
    if (outcome.type !== 'text') throw new Error(outcome.reason);
    expect(outcome.chunks.length).toBeGreaterThan(500);
    expect(outcome.chunks.map(({ n }) => n)).toEqual(outcome.chunks.map((_, index) => index));
  });

  it.each([
    ['of a scan', makePdfPages(['0 0 9 9 re f']), types.pdf, 'no_text'],
    ['of an empty file', '', types.plain, 'no_text'],
    ['of punctuation alone', '… — !', types.plain, 'no_text'],
    ['of a broken archive', 'PK', types.docx, 'damaged'],
    ['of a type that is not read', 'text', 'application/zip', 'unsupported'],
  ])('says why there is no text %s', async (_name, bytes, mime, reason) => {
    const file = { path: writeDocument(bytes), mime, name: 'a' };
    expect(await create().extract(file, never)).toMatchObject({ type: 'unreadable', reason });
  });

  it('says how many pages a scan has', async () => {
    const file = { path: writeDocument(makePdfPages(['0 0 9 9 re f', '0 0 9 9 re f'])), mime: types.pdf, name: 'a' };
    expect(await create().extract(file, never)).toEqual({ type: 'unreadable', reason: 'no_text', pages: 2 });
  });

  it('fails where the disk does: the file is not to blame', async () => {
    const file = { path: '/nowhere/at/all', mime: types.plain, name: 'a' };
    await expect(create().extract(file, never)).rejects.toThrow('ENOENT');
  });

  it('reads one file after the other, each in a process of its own', async () => {
    const pids = new Set<number>();
    const readMemory = async (pid: number) => pids.add(pid).size;
    const extractor = create({ readMemory, lookMs: 1 });
    const pdf = writePdf(makePdfPages(Array.from({ length: 30 }, () => page)));
    for (let file = 1; file <= 3; file++) {
      expect(await extractor.extract(pdf, never)).toMatchObject({ type: 'text', pages: 30 });
      expect(pids.size).toBe(file);
    }
  });

  it('reads the next file when others are read', async () => {
    const extractor = create({ atOnce: 1 });
    const files = ['a', 'b', 'c'].map((text) => ({ path: writeDocument(text), mime: types.plain, name: text }));
    const outcomes = await Promise.all(files.map((file) => extractor.extract(file, never)));
    expect(outcomes.map((outcome) => outcome.type === 'text' && outcome.chunks[0]?.body)).toEqual(['a', 'b', 'c']);
  });
});

describe('a worker is killed', () => {
  it('when its time of the processor is over, however long that takes by the clock', async () => {
    expect(await create({ cpuMs: 1 }).extract(endless(), never)).toEqual({
      type: 'unreadable',
      reason: 'timed_out',
    });
  });

  it('when the clock says that it waits for something that never comes', async () => {
    expect(await create({ clockMs: 1 }).extract(endless(), never)).toEqual({ type: 'unreadable', reason: 'timed_out' });
  });

  it('when its heap is full', async () => {
    const text = writeDocument('A sentence that is kept. '.repeat(1_100_000));
    const extractor = create({ heapMb: 32, cpuMs: 600_000 });
    const outcome = await extractor.extract({ path: text, mime: types.plain, name: 'a.txt' }, never);
    expect(outcome).toEqual({ type: 'unreadable', reason: 'out_of_memory' });
  });

  it('when it holds too much beside its heap', async () => {
    const asked: number[] = [];
    const readMemory = async (pid: number) => asked.push(pid) * 6 * 1024 * 1024;
    const extractor = create({ memoryMb: 10, cpuMs: 600_000, readMemory });
    expect(await extractor.extract(endless(), never)).toEqual({ type: 'unreadable', reason: 'out_of_memory' });
    expect(asked).toEqual([asked[0], asked[0]]);
  });

  it('when its caller gives up, before it begins or while it runs', async () => {
    const extractor = create({ atOnce: 1 });
    await expect(extractor.extract(endless(), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    const callers = [new AbortController(), new AbortController()] as const;
    const running = extractor.extract(endless(), callers[0].signal);
    const waiting = extractor.extract(endless(), callers[1].signal);
    callers[1].abort(new Error('no longer waits'));
    await expect(waiting).rejects.toThrow('no longer waits');
    callers[0].abort(new Error('no longer reads'));
    await expect(running).rejects.toThrow('no longer reads');
    const text = { path: writeDocument('text'), mime: types.plain, name: 'a' };
    expect(await extractor.extract(text, never)).toMatchObject({ type: 'text' });
  });

  it('when the extractor is closed', async () => {
    const extractor = create();
    const running = extractor.extract(endless(), never);
    const failed = expect(running).rejects.toThrow('The extractor is closed.');
    await extractor.close();
    await failed;
    await expect(extractor.extract(endless(), never)).rejects.toThrow('The extractor is closed.');
  });
});

describe('a worker whose server is gone', () => {
  it('ends when it is not busy', async () => {
    const worker = startWorker();
    const ended = once(worker, 'exit');
    await once(worker, 'spawn');
    worker.disconnect();
    expect(await ended).toEqual([0, null]);
  });

  it('ends when its time is over, however busy it is', async () => {
    const worker = startWorker();
    const ended = once(worker, 'exit');
    // It allows ten seconds more than the server does.
    worker.send({ file: endless(), cpuMs: 600_000, clockMs: -9_900 } satisfies WorkerOrder);
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  function startWorker(): ChildProcess {
    const worker = fork(builtExtractWorker, { env: {}, execArgv: [], serialization: 'advanced' });
    onTestFinished(() => void worker.kill('SIGKILL'));
    return worker;
  }
});

function create(options: Parameters<typeof createExtractor>[0] = {}) {
  const extractor = createBuiltExtractor(options);
  extractors.push(extractor);
  return extractor;
}

function writePdf(content: string) {
  return { path: writeDocument(content), mime: types.pdf, name: 'a.pdf' };
}
