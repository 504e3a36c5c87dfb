// Numbers for an operator's monitoring, as Prometheus text. Nothing is counted unless METRICS_TOKEN is set:
// without it anyone who counts has null.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { monitorEventLoopDelay, type IntervalHistogram } from 'node:perf_hooks';
import type { Db } from '@parley/db/client';
import type { Gauge, Registry } from 'prom-client';

/** How a generation ended, as `parley_generations_ended_total` counts it. */
export type GenerationOutcome = 'complete' | 'stopped' | 'failed' | 'recovered' | 'handed_over';

export interface Metrics {
  /** `route` is a pattern such as `/api/convos/:conversationId`, never a path with ids in it. */
  requestEnded(method: string, route: string, status: number, seconds: number): void;
  generationStarted(): void;
  generationEnded(outcome: GenerationOutcome): void;
  tokensUsed(input: number, output: number): void;
  /** Seconds from the request to the provider until its first delta. */
  firstToken(seconds: number): void;
  /** Seconds from an event's arrival in the log until its commit in the database. */
  flushed(seconds: number): void;
  socketOpened(): void;
  socketClosed(): void;
}

export interface MetricsExport extends Metrics {
  contentType: string;
  /** Prometheus text. */
  read(): Promise<string>;
  close(): void;
}

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const FIRST_TOKEN_SECONDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64];
/** Interval of the timer that measures event loop delay, in milliseconds. */
const RESOLUTION_MS = 10;
const FLUSH_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.5, 1, 2.5];

/** Starts counting. Loads the client library here, so a server without metrics never loads it. */
export async function createMetrics(db: Db): Promise<MetricsExport> {
  // A CommonJS library: in the bundle its default export has all there is.
  const { default: prometheus } = await import('prom-client');
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = prometheus;
  const register = new Registry();
  // Memory, CPU, garbage collection, handles.
  collectDefaultMetrics({ register });
  const registers = [register];
  const requests = new Histogram({
    name: 'parley_http_request_duration_seconds',
    help: 'HTTP requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const running = new Gauge({
    name: 'parley_generations_running',
    help: 'Generations that run here',
    registers,
  });
  const ended = new Counter({
    name: 'parley_generations_ended_total',
    help: 'Generations that ended, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const tokens = new Counter({
    name: 'parley_tokens_total',
    help: 'Tokens of finished generations',
    labelNames: ['kind'],
    registers,
  });
  const firstToken = new Histogram({
    name: 'parley_first_token_seconds',
    help: 'From the call of a provider to its first delta',
    buckets: FIRST_TOKEN_SECONDS,
    registers,
  });
  const flush = new Histogram({
    name: 'parley_log_flush_seconds',
    help: 'From an event in the generation log to its commit in the database',
    buckets: FLUSH_SECONDS,
    registers,
  });
  const sockets = new Gauge({ name: 'parley_websockets_open', help: 'Open websockets', registers });
  const delay = addEventLoopGauge(Gauge, registers);
  addConnectionsGauge(Gauge, registers, db);
  const read = cluster.worker ? await shareMetrics(register, cluster.worker) : () => register.metrics();
  return {
    contentType: register.contentType,
    requestEnded: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    generationStarted: () => running.inc(),
    generationEnded(outcome) {
      // A recovered run started in another process, which has ended.
      if (outcome !== 'recovered') running.dec();
      ended.inc({ outcome });
    },
    tokensUsed(input, output) {
      tokens.inc({ kind: 'input' }, input);
      tokens.inc({ kind: 'output' }, output);
    },
    firstToken: (seconds) => firstToken.observe(seconds),
    flushed: (seconds) => flush.observe(seconds),
    socketOpened: () => sockets.inc(),
    socketClosed: () => sockets.dec(),
    read,
    close: () => delay.disable(),
  };
}

type GaugeClass = typeof Gauge;
type Registers = Registry[];

function addEventLoopGauge(GaugeOf: GaugeClass, registers: Registers): IntervalHistogram {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  new GaugeOf({
    name: 'parley_event_loop_delay_seconds',
    help: 'How late the event loop was since the last reading, by quantile',
    labelNames: ['quantile'],
    aggregator: 'max',
    registers,
    collect() {
      for (const quantile of [50, 99, 100]) {
        const ms = delay.percentile(quantile) / 1e6 - RESOLUTION_MS;
        this.set({ quantile: quantile / 100 }, Math.max(0, ms) / 1000);
      }
      delay.reset();
    },
  });
  return delay;
}

function addConnectionsGauge(GaugeOf: GaugeClass, registers: Registers, db: Db): void {
  new GaugeOf({
    name: 'parley_database_connections',
    help: 'Connections of all processes of this site to the database, by state',
    labelNames: ['state'],
    // Each process counts those of all.
    aggregator: 'first',
    registers,
    async collect() {
      this.reset();
      // While the database is away, the other numbers matter most.
      const rows = await db.sql<{ state: string; count: number }[]>`
        select coalesce(state, 'unknown') as state, count(*)::int as count from pg_stat_activity
        where application_name = 'parley' and datname = current_database() group by 1`.catch(() => []);
      for (const { state, count } of rows) this.set({ state }, count);
    },
  });
}

// With several processes at one port a scrape reaches one of them, which asks their supervisor.
type Asked = { metricsFor: number };
type Answered = Asked & { text: string | null };

/** In the supervisor: adds up what its processes count, whenever one asks. */
export async function answerMetrics(): Promise<void> {
  const { default: prometheus } = await import('prom-client');
  const all = new prometheus.AggregatorRegistry();
  cluster.on('message', (worker: Worker, message: Partial<Asked>) => {
    const { metricsFor } = message;
    if (metricsFor === undefined) return;
    // A process that is starting does not answer.
    const gathered = all.clusterMetrics().catch(() => null);
    void gathered.then((text) => worker.send({ metricsFor, text } satisfies Answered));
  });
}

/**
 * In one of several processes: lets `register` be added up, and returns what reads the numbers of all, or those of this
 * process where one does not answer.
 */
async function shareMetrics(register: Registry, worker: Worker): Promise<() => Promise<string>> {
  const { default: prometheus } = await import('prom-client');
  prometheus.AggregatorRegistry.setRegistries([register]);
  new prometheus.AggregatorRegistry();
  let asked = 0;
  return async () => {
    const metricsFor = ++asked;
    worker.send({ metricsFor } satisfies Asked);
    for (;;) {
      const [message]: Partial<Answered>[] = await once(worker, 'message');
      if (message?.metricsFor === metricsFor) return message.text ?? register.metrics();
    }
  };
}
