import { Frame } from './client-rules.ts';

/** Splits a stream at empty lines, as those clients do; comments are skipped, everything else must be a frame. */
export function createParser() {
  let rest = '';
  return function parse(chunk: string): Frame[] {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.filter((block) => !block.startsWith(':')).map(frameOf);
  };
}

function frameOf(block: string): Frame {
  const [, event, data] = /^event: (\w+)\ndata: ([^\n]*)$/.exec(block) ?? [];
  if (!event || !data) throw new Error(`This is no frame: ${block.slice(0, 200)}`);
  return Frame.parse({ event, data: JSON.parse(data) });
}
