// (i) Tools: what the loop around a model, the log of long arguments, many runs at once and the code interpreter cost.
// TOOL_ROUNDS and TOOL_RUNS in the environment make it smaller.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { connect, type Db } from '@parley/db/client';
import { startEmbedded } from '@parley/db/embedded';
import { startHelper, type Remote } from './child-process.ts';
import { atMost, median, nearlyAll, printFigures, type Figure } from './figures.ts';
import { openParley } from './parley-server.ts';
import type { ToolClientCalls, ToolQuestion } from './tools/clients.ts';
import type { ToolProviderCalls } from './tools/provider.ts';

const ROUNDS = Number(process.env.TOOL_ROUNDS ?? 20);
const RUNS = Number(process.env.TOOL_RUNS ?? 50);
const STEPS = 10;
/** How often all runs begin at once. */
const CROWDS = 3;
const ARGUMENT_CHARS = 20_000;
/** Conversations that use Python, each with a process of its own. */
const KERNELS = 4;
/** As the server measures it. */
const RESOLUTION_MS = 10;
const METRICS_TOKEN = 'bench';

interface Setup {
  url: string;
  db: Db;
  clients: Remote<ToolClientCalls>;
  provider: Remote<ToolProviderCalls>;
}

/** Prints the table and returns how many targets were missed. */
export async function benchTools(): Promise<number> {
  const provider = startHelper<ToolProviderCalls>('./tools/provider.ts');
  const clients = startHelper<ToolClientCalls>('./tools/clients.ts');
  const urls = await provider.urls();
  const parley = await openParley(urls.provider, {
    WOLFRAM_BASE_URL: urls.service,
    WOLFRAM_APP_ID: 'fake',
    // The last one is asked for words.
    AGENT_MAX_STEPS: String(STEPS + 1),
    TOOL_CALLS_PER_MINUTE: '100000',
    METRICS_TOKEN,
  });
  const { connection, stop } = await startEmbedded(parley.folder);
  const db = connect(connection);
  try {
    const setup = { url: parley.server.url, db, clients, provider };
    await clients.open(setup.url, 1);
    const figures = [
      ...(await measureLoop(setup)),
      ...(await measureInterpreter(setup)),
      ...(await measureArguments(setup)),
      ...(await measureCrowd(setup)),
    ];
    return printFigures(`(i) tools: ${RUNS} runs of ${STEPS} steps, ${ARGUMENT_CHARS} characters`, figures);
  } finally {
    await clients.close();
    await db.end();
    await stop();
    await parley.close();
    await Promise.all([clients.end(), provider.end()]);
  }
}

/** One call of the fast tool in each step. */
const MANY_STEPS: ToolQuestion = {
  tools: ['wolfram'],
  text: ['[[tool-steps]]', ...Array.from({ length: STEPS }, (_, n) => callOf('wolfram', `MARK ${n}`))].join('\n'),
  calls: STEPS,
};

function callOf(name: 'wolfram', query: string): string {
  return `call ${name} ${JSON.stringify({ nl_query: query })}`;
}

/** From the end of the service's answer to the next call of the provider, with one run at a time. */
async function measureLoop({ clients, provider }: Setup): Promise<Figure[]> {
  const gaps: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    await clients.ask(0, MANY_STEPS);
    const own = await provider.gaps();
    if (own.length !== STEPS) throw new Error(`${own.length} steps of ${STEPS} were heard`);
    // The first round warms up.
    if (round > 0) gaps.push(...own);
  }
  console.log('  loop measured');
  return [
    { name: `from a tool to the next call, median of ${gaps.length}`, ...within(median(gaps), 10) },
    { name: 'the same, p95', ...within(nearlyAll(gaps), 10) },
  ];
}

/** From the question to what the code prints: in a conversation without a process, then in the same one. */
async function measureInterpreter({ url, clients }: Setup): Promise<Figure[]> {
  const python = (code: string): ToolQuestion => ({
    tools: ['code_interpreter'],
    text: `[[call-tool:execute_python ${JSON.stringify({ code })}]] MARK`,
    calls: 1,
  });
  await clients.open(url, KERNELS);
  // This makes the snapshot, and the next one's process takes the place of its process.
  await clients.ask(0, python('print(0)'));
  await clients.beginAnew();
  const cold: number[] = [];
  const warm: number[] = [];
  for (let n = 0; n < KERNELS; n++) {
    cold.push((await clients.ask(n, python('print(1)'))).firstOutput);
    for (const code of ['print(2)', 'print(3)', 'print(4)'])
      warm.push((await clients.ask(n, python(code))).firstOutput);
  }
  console.log('  interpreter measured');
  return [
    { name: `first output of Python, cold, median of ${cold.length}`, ...within(median(cold), 1500) },
    { name: `the same, warm, median of ${warm.length}`, ...within(median(warm), 300) },
  ];
}

/** All that is ever inserted into the log for one call with long arguments, which come in pieces of four characters. */
async function measureArguments({ db, clients }: Setup): Promise<Figure[]> {
  await db.sql`create table written_events (generation_id uuid, bytes int)`;
  await db.sql`
    create function note_event() returns trigger language plpgsql as $$ begin
      insert into written_events values (new.generation_id, octet_length(new.event::text));
      return null;
    end $$`;
  await db.sql`
    create trigger note_event after insert on generation_events for each row execute function note_event()`;
  const { generationId } = await clients.ask(0, {
    tools: ['code_interpreter'],
    text: `[[paced-arguments:${ARGUMENT_CHARS}]] MARK`,
    calls: 1,
  });
  const [written] = await db.sql<{ rows: number; bytes: number }[]>`
    select count(*)::int as rows, sum(bytes)::int as bytes from written_events where generation_id = ${generationId}`;
  await db.sql`drop trigger note_event on generation_events`;
  console.log('  arguments measured');
  const kilobytes = (written?.bytes ?? NaN) / 1000;
  const name = `log of arguments of ${ARGUMENT_CHARS / 1000} kB, ${written?.rows} rows`;
  return [{ name, cells: { parley: `${kilobytes.toFixed(1)} kB` }, target: atMost(kilobytes, 40, ' kB') }];
}

/**
 * How late the event loop of the server is at most while all runs take their steps, beside that of this process, which
 * is idle then: how late it is shows how busy the machine is.
 */
async function measureCrowd({ url, clients, provider }: Setup): Promise<Figure[]> {
  await clients.open(url, RUNS);
  // Warms the code up.
  await clients.askAll(MANY_STEPS);
  await provider.gaps();
  const gaps: number[] = [];
  const late: number[] = [];
  const idle = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  for (let crowd = 0; crowd < CROWDS; crowd++) {
    await clients.beginAnew();
    await readLateness(url);
    idle.enable();
    await clients.askAll(MANY_STEPS);
    idle.disable();
    late.push(await readLateness(url));
    gaps.push(...(await provider.gaps()));
  }
  console.log('  crowd measured');
  return [
    {
      name: `event loop late by, ${RUNS} runs at once, most of ${CROWDS}`,
      cells: { bare: ms(idle.max / 1e6 - RESOLUTION_MS), parley: ms(Math.max(...late)) },
      target: atMost(Math.max(...late), 50, ' ms'),
    },
    { name: 'from a tool to the next call then, median', cells: { parley: ms(median(gaps)) } },
  ];
}

/** In milliseconds, since the last reading. */
async function readLateness(url: string): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
  const line = /^parley_event_loop_delay_seconds\{quantile="1"\} (\S+)$/m.exec(await response.text());
  return Number(line?.[1] ?? NaN) * 1000;
}

function within(value: number, limit: number): Pick<Figure, 'cells' | 'target'> {
  return { cells: { parley: ms(value) }, target: atMost(value, limit, ' ms') };
}

function ms(value: number): string {
  return `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}
