// What a server does not take of a request, by its own words: it is asked once more without it, and for a while not again
// with it.
import { asFields } from '@parley/schema/json';
import { withoutSystem, withoutToolTurns, withTextOnly, withUserLast, type WireMessage } from './plain-turns.ts';
import { readFailure } from './read-failure.ts';
import { createHash } from 'node:crypto';
import * as z from 'zod';

/** Of all servers. The oldest is forgotten first. */
const KNOWN_MAX = 1000;

const KEPT_MS = 60 * 60_000;

/** Characters. PostgreSQL refuses notifications of 8,000 bytes and more. */
const TOLD_MAX = 4_000;

/** The names of an endpoint, a place, what is refused, and a model. */
const Known = z.tuple([z.string(), z.string(), z.string(), z.string().nullable()]);

export interface Refusals {
  /**
   * Sends a body, without what the server has refused before. Where it refuses more of it by name, that is left out,
   * and the rest is sent again.
   * @throws the error of `send` that names nothing more
   */
  ask<Body extends object, Answer>(call: Asked, body: Body, send: (body: Body) => Promise<Answer>): Promise<Answer>;
  /** What is left out at the moment, the longest known first. */
  list(): LeftOut[];
}

interface Asked {
  model: string;
  target: { baseURL: string };
  relayed?: Readonly<Record<string, unknown>>;
}

/** A server may name one field at a time. */
const TRIES_MAX = 6;

type Body = Record<string, unknown>;
/** Beside the names of fields: the role of instructions, content that is no text, and turns that are no words. */
const SYSTEM = 'role: system';
const PARTS = 'image_url';
const TOOL_TURNS = 'role: tool';
const LAST_ANSWER = 'last role: assistant';

/** What one endpoint's servers refuse, known for as long as `known` keeps it. */
export function createRefusals(endpoint = '', known: KnownRefusals = createKnownRefusals()): Refusals {
  return {
    async ask(call, body, send) {
      for (let tries = 1; ; tries += 1) {
        const plain = without(asFields(body), refusedBy(call));
        try {
          return await send(plain as typeof body);
        } catch (error) {
          const refused = tries < TRIES_MAX ? refusedIn(error, plain, call) : [];
          if (refused.length === 0) throw error;
          for (const name of refused) note(call, name);
        }
      }
    },
    list: () => known.ofEndpoint(endpoint),
  };

  function refusedBy({ target: { baseURL }, model }: Asked): string[] {
    return known
      .of({ endpoint, baseURL })
      .filter((one) => one.model === null || one.model === model)
      .map(({ name }) => name);
  }

  function note({ target: { baseURL }, model }: Asked, name: string): void {
    known.add({ endpoint, baseURL }, { name, model: UNASKED.includes(name) ? null : model });
  }
}

/** The fields that nobody asked for, or the operator for all models. Whether a server takes them does not depend on the model. */
const UNASKED: readonly string[] = ['stream_options', 'user', 'parallel_tool_calls'];

function without(body: Body, refused: readonly string[]): Body {
  if (refused.length === 0) return body;
  const isLeftOut = (name: string) => refused.includes(name) || (refused.includes(TOOL_TURNS) && OF_TOOLS.has(name));
  const plain: Body = Object.fromEntries(Object.entries(body).filter(([name]) => !isLeftOut(name)));
  // It is about streams.
  if (refused.includes('stream')) delete plain.stream_options;
  if (!Array.isArray(plain.messages)) return plain;
  let messages = plain.messages as WireMessage[];
  if (refused.includes(TOOL_TURNS)) messages = withoutToolTurns(messages);
  if (refused.includes(SYSTEM)) messages = withoutSystem(messages);
  if (refused.includes(LAST_ANSWER)) messages = withUserLast(messages);
  if (refused.includes(PARTS)) messages = withTextOnly(messages);
  return { ...plain, messages };
}

const OF_TOOLS: ReadonlySet<string> = new Set(['tools', 'tool_choice', 'parallel_tool_calls']);

/** Without them there is no question; and the caller leaves tools out itself. */
const ESSENTIAL: ReadonlySet<string> = new Set(['model', 'messages', 'prompt', 'tools']);
/** Some servers fail where they refuse, such as llama.cpp, and some say in their stream what they refuse, without a status. */
const STATUSES: ReadonlySet<unknown> = new Set([400, 404, 422, 500, 501]);

const REFUSES =
  /unsupported|\bnot (?:be |currently )?(?:supported|permitted|allowed|accepted|recogni[sz]ed|available|implemented)|n['’]t (?:support|allow|accept|recogni[sz]e)|\bnot (?:support|accept|allow|recogni[sz]e)|\bno support|unknown|unrecogni[sz]ed|unexpected|\bextra\b|extra_forbidden|additional propert|invalid (?:field|parameter|argument|property|key)|forbidden|cannot be (?:used|set)/i;
/** A field that is taken with another value. */
const OF_VALUE = /\bbetween\b|less than|greater than|at (?:most|least)|\brange\b|minimum|maximum|[<>]=/i;
/** What follows are names that the server takes. */
const ACCEPTED =
  /\b(?:expected|allowed|valid|supported|accepted|permitted) (?:one of|fields?|parameters?|params?|values?|keys?|arguments?|properties|are)\b.*$/is;

function refusedIn(error: unknown, body: Body, { relayed = {} }: Asked): string[] {
  const { status, code: number, error: said, message } = asFields(error);
  const told = said === undefined ? null : 400;
  if (!STATUSES.has([status, number, told].find((one) => typeof one === 'number'))) return [];
  const { text, code = '', params } = readFailure(said ?? String(message));
  const messages = Array.isArray(body.messages) && !('messages' in relayed) ? (body.messages as WireMessage[]) : [];
  const refusesParts = messages.some(({ content }) => Array.isArray(content)) && isOfParts(text);
  if (refusesParts) return [PARTS];
  if (status === 404) return [];
  if (messages.at(-1)?.role === 'assistant' && isOfLast(text)) return [LAST_ANSWER];
  if (messages.some(({ role }) => role === 'tool') && isOfToolTurns(text)) return [TOOL_TURNS];
  if (messages.some(({ role }) => role === 'system') && isOfSystem(text)) return [SYSTEM];
  const about = text.replace(ACCEPTED, '');
  const isRefusal = REFUSES.test(`${about} ${code}`);
  return Object.keys(body).filter((name) => {
    if (ESSENTIAL.has(name) || name in relayed) return false;
    if (!params.includes(name) && !names(about, name)) return false;
    return UNASKED.includes(name) ? isRefusal || params.includes(name) : isRefusal && !OF_VALUE.test(text);
  });
}

const FIELD = String.raw`(?:fields?|parameters?|params?|propert(?:y|ies)|arguments?|options?|keys?|inputs?)`;
const MARK = '["\'`“”‘’]';

/** Whether a text names a field, also as `presencePenalty`: a word of our language only in marks or beside a word for a field. */
function names(text: string, field: string): boolean {
  if (new RegExp(`\\broles?\\b[^.;]{0,30}${MARK}?${field}\\b`, 'i').test(text)) return false;
  const camel = field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (field !== camel && new RegExp(`(?<![\\w-])(?:${field}|${camel})(?![\\w-])`).test(text)) return true;
  const places = [
    `${MARK}(?:body\\.)?${field}${MARK}`,
    `^${field}\\s*[:=]`,
    `\\b${field}=`,
    `^${field} (?:is|are) (?:not|un)`,
    `\\bbody\\.${field}\\b`,
    `\\b${field} ${FIELD}\\b`,
    `\\b${FIELD}:? ${field}\\b`,
    `\\b${FIELD}[^:.]{0,30}:[^.;]{0,300}\\b${field}\\b`,
  ];
  return places.some((place) => new RegExp(place, 'im').test(text));
}

function isOfSystem(text: string): boolean {
  const isOfPlace = /beginning|\bfirst\b|\bstart\b/i.test(text);
  const isOfRole = /\bsystem\b/i.test(text) && /role|message|prompt|instruction/i.test(text) && !isOfPlace;
  if (isOfRole) return REFUSES.test(text) || /\binvalid\b|\bonly\b|\bmust be\b/i.test(text);
  return ofKnownRoles(text);
}

/** An unfinished answer that the model is to go on with. */
function isOfLast(text: string): boolean {
  const isOfPlace =
    /\b(?:last|final)\b[^.]{0,20}\b(?:message|role|turn)\b/i.test(text) && /\b(?:user|assistant)\b/i.test(text);
  return isOfPlace || /add_generation_prompt|continue_final_message|\bpre-?fill/i.test(text);
}

/** Before roles in general: a template that knows none of tools names the ones that it knows. */
function isOfToolTurns(text: string): boolean {
  const isOfRole = /\broles?\b/i.test(text) && /\btool\b/i.test(text);
  const isOfCalls = /\btool_calls?\b|\btool_call_id\b/i.test(text);
  if (isOfRole || isOfCalls) return REFUSES.test(text) || /\binvalid\b|\bonly\b|(?:should|must) be/i.test(text);
  return (/\balternat/i.test(text) && /\broles?\b/i.test(text)) || ofKnownRoles(text);
}

/** Names the roles of people and models as those that there may be. */
function ofKnownRoles(text: string): boolean {
  const named = /["'`]user["'`]/.test(text) && /["'`]assistant["'`]/.test(text) && /(?:should|must) be/i.test(text);
  return named || /\bonly\b[^.]{0,20}\buser\b[^.]{0,20}\bassistant\b[^.]{0,20}\broles?\b/i.test(text);
}

/** A list in place of a text; or a picture in it. */
function isOfParts(text: string): boolean {
  if (
    /valid string|must be a string|expected (?:a )?string|expected `?text`?|of type string|content part type/i.test(
      text,
    )
  )
    return true;
  const isOfPicture = /\bimages?\b|image_url|image_input|\bvision\b|multi-?modal|mmproj/i.test(text);
  return isOfPicture && (REFUSES.test(text) || NO_EYES.test(text));
}

const NO_EYES =
  /at most 0|no endpoints found|text[ -]only|only support|not a (?:vision|multi)|not compiled|not configured|missing data/i;

// What the servers of endpoints have refused, in all processes of an installation: each tells the others what it learns. A
// server may be replaced by a newer one, so what it refused is forgotten after an hour, and learned again.
export interface LeftOut {
  /** The name of a field, or what else of a request is refused, in the words of the protocol: `role: system`. */
  name: string;
  /** Null where it is left out whatever the model. */
  model: string | null;
}

/** A server of an endpoint: people may give addresses of their own. */
interface ServerOf {
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
