// (o) What the types cost: a check of everything, beside reading the same files without checking them.
import { join } from 'node:path';
import { root } from '../build-stamps.mjs';
import { run } from '../test/run-program.ts';
import { atMost, printFigures, timed } from './figures.ts';

/** Prints the table and returns how many targets were missed. Throws when the types are wrong. */
export async function benchTypes(): Promise<number> {
  const read = await compile('--noCheck');
  const checked = await compile();
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return printFigures('(o) types', [
    {
      name: 'a type check of everything',
      cells: { checked: seconds(checked), 'only read': seconds(read), ratio: (checked / read).toFixed(1) },
      target: atMost(checked / 1000, 60, ' s'),
    },
  ]);
}

/** Milliseconds of the compiler, from nothing. `--generateTrace` of the same program says which file takes long. */
function compile(...options: string[]): Promise<number> {
  return timed(async () => {
    const args = ['-p', 'tsconfig.base.json', '--noEmit', ...options];
    const code = await run(root, join(root, 'node_modules/.bin/tsc'), args);
    if (code !== 0) throw new Error('The types are wrong.');
  });
}
