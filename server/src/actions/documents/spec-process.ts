// Reads OpenAPI documents of people in processes apart from the server: ten megabytes keep a parser busy for seconds, and
// a hostile document for as long as it is let.
import {
  askWorker,
  createWaitingWorker,
  endWorker,
  programBeside,
  startWorker,
} from '../../platform/processes/child-worker.ts';
import { withDeadline } from '../../platform/deadline.ts';
import { createFairQueue } from '../../platform/semaphore.ts';
import type { SpecResult, SpecOrder } from './spec-order.ts';

const TIMEOUT_MS = 60_000;
/** YAML of ten megabytes takes some 600 MB. */
const HEAP_MB = 1024;
const SMALL_HEAP_MB = 256;
const SMALL_TEXT_CHARS = 1024 * 1024;
const AT_ONCE = 2;
/** How long a process waits for the next small document of its person: the editor sends one at each pause in typing. */
const IDLE_MS = 15_000;

const inTurn = createFairQueue(AT_ONCE);
const waiting = createWaitingWorker(IDLE_MS);

/**
 * What the process makes of a text; null when that takes too long or too much memory.
 * @param key whose text it is: people take turns, and no process reads the texts of two
 * @param program the worker's; the one beside this module unless a test has another
 */
export function askSpecProcess(
  key: string,
  order: SpecOrder,
  program: URL = programBeside(import.meta.url, './spec-worker.ts'),
): Promise<SpecResult | null> {
  return inTurn(key, async () => {
    const isSmall = order.text.length <= SMALL_TEXT_CHARS;
    const worker = (isSmall && waiting.take(key)) || startWorker(program, isSmall ? SMALL_HEAP_MB : HEAP_MB);
    const result = (await askWorker(worker, order, withDeadline(TIMEOUT_MS))) as SpecResult | null;
    if (result && isSmall) waiting.put(worker, key);
    else void endWorker(worker);
    return result;
  });
}
