// @vitest-environment happy-dom
// The page's end of a running artifact. Frames load nothing here: a test holds the other end of the port.
import { MessageChannel } from 'node:worker_threads';
import { render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunningFrame } from '../../../../web/src/artifacts/run/running-frame.tsx';

beforeEach(() => {
  vi.stubGlobal('MessageChannel', MessageChannel);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** The ends of the ports are those of the browser's own `MessageChannel`, so what is sent arrives a little later. */
async function open(isAllowed = true) {
  const told: string[] = [];
  const source = window;
  const greetings: MessagePort[] = [];
  vi.spyOn(source, 'postMessage').mockImplementation(
    (...args: unknown[]) => void greetings.push((args[2] as never)[0]),
  );
  const { container, unmount } = render(
    <RunningFrame
      title="Program"
      code="code"
      kind="html"
      onNews={({ state }) => told.push(state)}
      onEnd={(reason) => told.push(`ended: ${reason}`)}
      onReady={() => isAllowed}
    />,
  );
  const frame = container.querySelector('iframe');
  if (!frame) throw new Error('There is no frame.');
  Object.defineProperty(frame, 'contentWindow', { value: source });
  frame.dispatchEvent(new Event('load'));
  const port = greetings[0];
  if (!port) throw new Error('The frame was not greeted.');
  const got: unknown[] = [];
  port.onmessage = ({ data }: MessageEvent) => got.push(data);
  const say = async (data: unknown) => {
    port.postMessage(data);
    await arrived();
  };
  return { told, got, frame, source, say, unmount };
}

const arrived = () => new Promise((resolve) => setTimeout(resolve, 20));

test('a frame gets the program only when it is ready and may run', async () => {
  const allowed = await open();
  expect(allowed.got).toEqual([]);
  await allowed.say({ state: 'ready', isSealed: true });
  expect(allowed.got).toEqual([{ code: 'code', kind: 'html' }]);
  const refused = await open(false);
  await refused.say({ state: 'ready', isSealed: false });
  expect(refused.got).toEqual([]);
});

test('a program that floods the window of the page is ended, and none of its messages is read', async () => {
  const { told, source } = await open();
  const event = new MessageEvent('message', { source });
  const read = vi.fn();
  Object.defineProperty(event, 'data', { get: read });
  for (let n = 0; n < 99; n++) window.dispatchEvent(event);
  expect(told).toEqual([]);
  for (let n = 0; n < 3_000; n++) window.dispatchEvent(event);
  expect(told).toEqual(['ended: flood']);
  expect(read).not.toHaveBeenCalled();
});

test('a program renews its time of silence only by answering a question', async () => {
  const { told, got, say } = await open();
  await say({ state: 'ready', isSealed: true });
  for (let second = 1; second <= 12; second++) {
    vi.advanceTimersByTime(1_000);
    await arrived();
    // The program itself came before the questions.
    await say({ state: 'here', ping: got.length - 1 });
  }
  expect(told).toEqual([]);
  for (let second = 1; second <= 12; second++) {
    vi.advanceTimersByTime(1_000);
    // An old answer, one to a question that was never asked, and news.
    await say({ state: 'here', ping: 1 });
    await say({ state: 'here', ping: 1_000 });
    await say({ state: 'running' });
  }
  expect(told.filter((one) => one !== 'running')).toEqual(['ended: silent']);
});

test('a frame that is still loading is not asked, and not ended', async () => {
  const { told, got } = await open();
  vi.advanceTimersByTime(60_000);
  await arrived();
  expect(got).toEqual([]);
  expect(told).toEqual([]);
});

test('a page that was held up itself does not take the time for silence of the program', async () => {
  const { told, got, say } = await open();
  await say({ state: 'ready', isSealed: true });
  vi.advanceTimersByTime(1_000);
  await arrived();
  // The clock has moved on and the timer fires once, before the answer that waits in the queue is heard.
  vi.stubGlobal('performance', { now: () => 60_000 });
  vi.advanceTimersToNextTimer();
  await say({ state: 'here', ping: got.length - 1 });
  expect(told).toEqual([]);
});

test('a program that leaves its frame is ended', async () => {
  const { told, frame } = await open();
  frame.dispatchEvent(new Event('load'));
  expect(told).toEqual(['ended: navigation']);
});

test('a program that adds entries to the history is ended with the sixth', async () => {
  const { told, say } = await open();
  for (let n = 0; n < 5; n++) await say({ state: 'moved', entries: 1 });
  expect(told).toEqual([]);
  await say({ state: 'moved', entries: 1 });
  expect(told).toEqual(['ended: history']);
});
