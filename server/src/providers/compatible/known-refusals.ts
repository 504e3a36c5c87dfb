// What the servers of endpoints have refused, in all processes of an installation: each tells the others what it learns. A
// server may be replaced by a newer one, so what it refused is forgotten after an hour, and learned again.
import { createHash } from 'node:crypto';
import * as z from 'zod';

export interface LeftOut {
  /** The name of a field, or what else of a request is refused, in the words of the protocol: `role: system`. */
  name: string;
  /** Null where it is left out whatever the model. */
  model: string | null;
}

/** A server of an endpoint: people may give addresses of their own. */
export interface ServerOf {
  endpoint: string;
  baseURL: string;
}

export interface KnownRefusals {
  add(server: ServerOf, refused: LeftOut): void;
  /** What a server is not sent at the moment. */
  of(server: ServerOf): LeftOut[];
  /** What the servers of an endpoint are not sent at the moment, the longest known first. */
  ofEndpoint(endpoint: string): LeftOut[];
  /** Takes what a process has told. */
  hear(told: string): void;
}

interface Parts {
  /** For the operator's log: called in the process that has learned it, once. */
  onLearned?(text: string): void;
  /** Tells all processes, this one included. */
  tell?(told: string): void;
  /** Milliseconds. */
  now?(): number;
}

/** Of all servers. The oldest is forgotten first. */
const KNOWN_MAX = 1000;
const KEPT_MS = 60 * 60_000;
/** Characters. PostgreSQL refuses notifications of 8,000 bytes and more. */
const TOLD_MAX = 4_000;

/** The names of an endpoint, a place, what is refused, and a model. */
const Known = z.tuple([z.string(), z.string(), z.string(), z.string().nullable()]);

export function createKnownRefusals({ onLearned, tell, now = () => performance.now() }: Parts = {}): KnownRefusals {
  /** Until when, the oldest first. */
  const known = new Map<string, LeftOut & { endpoint: string; place: string; until: number }>();
  return {
    add(server, { name, model }) {
      const learned = [server.endpoint, placeOf(server), name, model] satisfies z.infer<typeof Known>;
      if (!keep(learned)) return;
      const asked = model === null ? 'requests' : `requests for ${model}`;
      onLearned?.(`The server of ${server.endpoint} refused ${name}: ${asked} leave it out for an hour.`);
      const told = Buffer.from(JSON.stringify(learned)).toString('base64url');
      if (told.length <= TOLD_MAX) tell?.(told);
    },
    of(server) {
      const place = placeOf(server);
      return current().filter((one) => one.place === place);
    },
    ofEndpoint(endpoint) {
      const all = current().filter((one) => one.endpoint === endpoint);
      const shown = new Map(all.map(({ name, model }) => [JSON.stringify([name, model]), { name, model }]));
      return [...shown.values()];
    },
    hear: (told) => void keep(Known.parse(JSON.parse(Buffer.from(told, 'base64url').toString()))),
  };

  function current() {
    return [...known.values()].filter(({ until }) => until > now());
  }

  /** Whether it was new. */
  function keep([endpoint, place, name, model]: z.infer<typeof Known>): boolean {
    const key = JSON.stringify([place, name, model]);
    if ((known.get(key)?.until ?? 0) > now()) return false;
    known.delete(key);
    known.set(key, { endpoint, place, name, model, until: now() + KEPT_MS });
    const [oldest] = known.keys();
    if (known.size > KNOWN_MAX && oldest !== undefined) known.delete(oldest);
    return true;
  }
}

/** Other processes are told no address: one that a person gave may hold a secret. */
function placeOf({ endpoint, baseURL }: ServerOf): string {
  return createHash('sha256').update(`${endpoint}\n${baseURL}`).digest('base64url').slice(0, 22);
}
