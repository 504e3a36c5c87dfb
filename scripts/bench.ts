// `npm run bench [relay|start|page|reading|search|long]`: the figures of the README, each as a ratio or against its target.
import { build } from './build.ts';
import { benchLong } from './bench/long.ts';
import { benchPage } from './bench/page.ts';
import { benchReading } from './bench/reading.ts';
import { benchRelay } from './bench/relay.ts';
import { benchSearch } from './bench/search.ts';
import { benchStart } from './bench/start.ts';

const benches: Record<string, () => Promise<number>> = {
  relay: benchRelay,
  start: benchStart,
  page: benchPage,
  reading: benchReading,
  search: benchSearch,
  long: benchLong,
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in benches));
if (unknown) {
  console.error(`There is no bench "${unknown}": choose from ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}

await build();
let missed = 0;
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) missed += await bench();
}
console.log(
  missed === 0 ? '\nEvery target is met.' : `\n${missed} ${missed === 1 ? 'target is' : 'targets are'} missed.`,
);
