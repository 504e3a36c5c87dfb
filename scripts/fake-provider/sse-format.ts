/** Formats server-sent events in all the ways that the format allows and providers use. */
import type { Framing } from './scenario.ts';

/** Returns a function for one stream; its input is whole events with `\n` line ends. */
export function createSseFormat({ lineEnd, dressed }: Framing): (events: string) => string {
  const dress = dressed ? createDressing() : (events: string) => events;
  return lineEnd === '\n' ? dress : (events) => dress(events).replaceAll('\n', lineEnd);
}

function createDressing(): (events: string) => string {
  let count = 0;
  return (events) =>
    events
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => dressedEvent(event, count++))
      .join('');
}

function dressedEvent(event: string, count: number): string {
  if (count === 0) return `\uFEFF: welcome\n\nretry: 3000\n${event}\n\n`;
  const ways = [
    `${overLines(event)}\n\n`,
    `: heartbeat\n\n${event}\n\n`,
    `id: ${count}\n${tight(event)}\n: in between\n\n`,
  ];
  return ways[count % ways.length] ?? event;
}

// The format joins several data lines with a newline, which is white space in JSON.
function overLines(event: string): string {
  if (!event.startsWith('data: {')) return event;
  const json: unknown = JSON.parse(event.slice('data: '.length));
  return JSON.stringify(json, null, 1)
    .split('\n')
    .map((line) => `data: ${line}`)
    .join('\n');
}

// The space after the colon is optional.
function tight(event: string): string {
  return event.replace(/^data: /gm, 'data:');
}
