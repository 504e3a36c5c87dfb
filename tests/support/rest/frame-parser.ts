import { Frame } from './client-rules.ts';

/** Splits a stream at empty lines, as those clients do. Every block must be a frame. */
export function createParser() {
  let rest = '';
  return function parse(chunk: string): Frame[] {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks
      .map((block) => block.trim())
      .filter((block) => block !== '')
      .map(frameOf);
  };
}

function frameOf(block: string): Frame {
  const [, event, data] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(block) ?? [];
  if (!event || !data) throw new Error(`This is no frame: ${block.slice(0, 200)}`);
  return Frame.parse({ event, data: JSON.parse(data) });
}
