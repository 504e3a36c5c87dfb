// `npm run chaos`: users chat while servers die and sockets are cut; afterwards nothing may be lost.
//   npm run chaos -- --seed 42 --generations 200     the same plan again
//   npm run chaos -- --minutes 60                    one run after another
//   npm run chaos -- --servers 1                     one server instead of two over one database
//   --kills 500 --counts kills.json                  kills parts of a cluster until so many are counted in the file
//   DATABASE_URL=… npm run chaos                     an empty database of one's own, e.g. behind a pooler
import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.ts';
import { killInCluster } from './chaos/cluster-kills.ts';
import { drawSignals, runChaos, type Report } from './chaos/run.ts';

/** About one outage per this many exchanges. */
const EXCHANGES_PER_OUTAGE = 14;
/** The share of exchanges with tools. */
const TOOLS_SHARE = 0.25;

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    generations: { type: 'string' },
    servers: { type: 'string' },
    minutes: { type: 'string' },
    kills: { type: 'string' },
    counts: { type: 'string', default: 'chaos-kills.json' },
  },
});
const seed = values.seed ?? String(randomInt(1_000_000));
const generations = Number(values.generations ?? 200);
const servers = Number(values.servers ?? 2);
if (values.minutes && process.env.DATABASE_URL) {
  console.error('Each run needs an empty database: leave out --minutes, or DATABASE_URL.');
  process.exit(1);
}
const endAt = Date.now() + Number(values.minutes ?? 0) * 60_000;

await build();
if (values.kills !== undefined) {
  const holds = await killInCluster(resolve(values.counts), Number(values.kills));
  process.exit(holds ? 0 : 1);
}
let violated = false;
for (let run = 0; run === 0 || Date.now() < endAt; run++) {
  const own = run === 0 ? seed : `${seed}.${run}`;
  console.log(`seed ${own}: ${generations} exchanges, ${servers} ${servers === 1 ? 'server' : 'servers'}`);
  const signals = drawSignals(own, Math.ceil(generations / EXCHANGES_PER_OUTAGE));
  const report = await runChaos({ seed: own, generations, servers, signals, tools: TOOLS_SHARE, timed: true });
  violated ||= report.violations.length > 0;
  print(report);
}
process.exitCode = violated ? 1 : 0;

function print({ violations, losses, outages }: Report): void {
  const kills = outages.filter(({ signal }) => signal === 'SIGKILL').length;
  for (const { rule, text } of violations) console.log(`✗ ${rule}: ${text}`);
  console.log(
    `${violations.length} violations; ${kills} kills and ${outages.length - kills} restarts cut ${losses.length} replies, ` +
      `of which at most the last ${Math.round(Math.max(0, ...losses))} ms are missing`,
  );
}
