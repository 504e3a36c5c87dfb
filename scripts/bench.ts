// `npm run bench [relay|start|page|reading|search|long|steady|files|tools|import|administration|columns|artifacts|types|coverage|processes|growth|log|known|soak]`:
// measures the README's figures, each as a ratio or against its target.
//   npm run bench soak -- --hours 8 --part 2 --counts soak.json   hours of load, in parts that add up in the file
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.ts';
import { benchAdministration } from './bench/administration.ts';
import { benchArtifacts, benchColumns, benchLong, benchPage, benchReading } from './bench/browser/benches.ts';
import { benchCoverage } from './bench/entered-functions.ts';
import { benchFiles } from './bench/files.ts';
import { benchGrowth, benchLog } from './bench/growth/growth.ts';
import { benchImport } from './bench/import.ts';
import { benchKnown } from './bench/files/known.ts';
import { benchProcesses } from './bench/processes.ts';
import { benchRelay } from './bench/relay.ts';
import { benchSearch } from './bench/search.ts';
import { benchStart } from './bench/server-start.ts';
import { benchSoak } from './bench/soak/soak.ts';
import { benchSteady } from './bench/steady.ts';
import { benchTools } from './bench/tools.ts';
import { benchTypes } from './bench/types.ts';

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    hours: { type: 'string', default: '8' },
    part: { type: 'string' },
    counts: { type: 'string', default: 'soak.json' },
  },
});

const benches: Record<string, () => Promise<number>> = {
  relay: benchRelay,
  start: benchStart,
  page: benchPage,
  reading: benchReading,
  search: benchSearch,
  long: benchLong,
  steady: benchSteady,
  files: benchFiles,
  tools: benchTools,
  import: benchImport,
  administration: benchAdministration,
  columns: benchColumns,
  artifacts: benchArtifacts,
  types: benchTypes,
  coverage: benchCoverage,
  processes: benchProcesses,
  growth: benchGrowth,
  log: benchLog,
  known: benchKnown,
  soak: () => {
    const hours = Number(values.hours);
    return benchSoak({ hours, part: Number(values.part ?? hours), file: resolve(values.counts) });
  },
};
/** Of hours: not among those that run when none is named. */
const LONG = ['soak'];

const unknown = wanted.find((name) => !(name in benches));
if (unknown) {
  console.error(`There is no bench "${unknown}": choose from ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}

const lengths = [values.hours, values.part ?? values.hours].map(Number);
if (!lengths.every((length) => length > 0)) {
  console.error('--hours and --part are numbers of hours above 0, such as 8 and 0.25.');
  process.exit(1);
}

await build();
let missed = 0;
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 ? !LONG.includes(name) : wanted.includes(name)) missed += await bench();
}
console.log(
  missed === 0 ? '\nEvery target is met.' : `\n${missed} ${missed === 1 ? 'target is' : 'targets are'} missed.`,
);
