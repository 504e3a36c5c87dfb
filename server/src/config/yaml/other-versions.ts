// Files of other versions of LibreChat start here, too. What they may have and Parley does not is left out before the
// file is checked, and said once at the start. Names by its documentation up to version 0.8.8 (configuration 1.3.15).
import { isObject } from '@parley/schema/json';
import { isHttpUrl } from '../addresses.ts';
import { operatorCommand } from '../operator-command.ts';
import { yamlSchema } from './yaml-schema.ts';
import { nestedUnknown, withoutPaths } from './without-effect.ts';
import { pathText, valueAt, type Path } from './yaml-path.ts';
import type { Problem } from './yaml-rules.ts';

/** Sections, and what to do instead. */
const OTHER_SECTIONS: Readonly<Record<string, string | null>> = {
  branding: 'APP_TITLE names the site',
  cache: 'lists of models are always kept for some minutes',
  cloudfront: null,
  fileStrategies: 'fileStrategy is one place for all files',
  langfuse: null,
  mcpSettings: 'EGRESS_ALLOWED_HOSTS names the hosts in private networks that may be called',
  memory: null,
  messageFilter: null,
  ocr: null,
  secureImageLinks: 'pictures are always for their person only',
  skillSync: null,
  summarization: 'summarize and summaryModel of an endpoint turn summaries on',
  transactions: null,
  turnstile: null,
  webSearch: 'BRAVE_API_KEY, TAVILY_API_KEY or SEARXNG_URL set up the search of the web',
};

/** Settings within sections, and what to do instead. */
const OTHER_SETTINGS: Readonly<Record<string, string>> = {
  'balance.startBalance': `\`${operatorCommand('add-balance')}\` adds to a balance`,
  'endpoints.assistants.pollIntervalMs': 'answers are streamed',
  'speech.tts.elevenlabs.websocketUrl': 'sentences are asked for one by one',
  'interface.customWelcome': 'the page greets people by their names',
  'interface.temporaryChatRetention': 'a temporary chat ends when it is left',
  'interface.mcpServers': 'MCP_USER_SERVERS=on lets people add servers of their own',
  'interface.remoteAgents': 'API_KEYS=off ends the keys of people for programs',
  ...Object.fromEntries(
    ['autoRefillEnabled', 'refillIntervalValue', 'refillIntervalUnit', 'refillAmount'].map((name) => [
      `balance.${name}`,
      'give people a budget under Administration > Usage, which begins anew each day, week or month',
    ]),
  ),
};

/** What people would not have there, and have here. */
const ALWAYS_ON = new Set(
  (
    'endpointsMenu modelSelect parameters sidePanel presets prompts bookmarks multiConvo temporaryChat fileSearch ' +
    'fileCitations memories contextUsage contextCost autoSubmitFromUrl skills marketplace peoplePicker'
  ).split(' '),
);

/** Words of settings that Parley has without these. */
const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  fileStrategy: ['azure_blob', 'cloudfront'],
  socialLogins: ['apple', 'saml'],
  titleMethod: ['structured'],
};

export interface Readable {
  tree: unknown;
  notices: string[];
  problems: Problem[];
}

/** The tree without what has no effect here. A name at the top that is nearly a known one is a problem. */
export function withoutOtherVersions(written: unknown, file: string): Readable {
  const known = [...Object.keys(yamlSchema.shape), ...Object.keys(OTHER_SECTIONS)];
  const notices: string[] = [];
  const problems: Problem[] = [];
  const left: Path[] = [];
  for (const name of unknownSections(written)) {
    const instead = OTHER_SECTIONS[name];
    const meant = instead === undefined ? known.find((one) => isNearly(name, one)) : undefined;
    if (meant) problems.push({ path: [name], says: `is not a known setting; perhaps ${meant} is meant` });
    else if (instead === undefined) notices.push(unknownNotice(file, [name]));
    else notices.push(`In ${file}, ${name} has no effect here${instead === null ? '' : `: ${instead}`}.`);
    left.push([name]);
  }
  for (const { path, what } of otherValues(written)) {
    left.push(path);
    notices.push(`In ${file}, ${pathText(path)} has no effect here: ${what}.`);
  }
  const sections = withoutPaths(written, left);
  const nested = nestedUnknown(yamlSchema.safeParse(sections).error?.issues ?? []);
  notices.push(...new Set(nested.map((path) => nestedNotice(file, path, valueAt(sections, path)))));
  return { tree: withoutPaths(sections, nested), notices, problems };
}

function unknownNotice(file: string, path: Path): string {
  return `In ${file}, ${pathText(path)} is not a known setting and is ignored.`;
}

function nestedNotice(file: string, path: Path, value: unknown): string {
  const place = pathText(path);
  const instead = OTHER_SETTINGS[place];
  if (instead !== undefined) return `In ${file}, ${place} has no effect here: ${instead}.`;
  const [top, name] = path;
  if (top === 'interface' && value === false && ALWAYS_ON.has(String(name)))
    return `In ${file}, ${place} is false, which has no effect here: this is not switched off for people.`;
  return unknownNotice(file, path);
}

function unknownSections(tree: unknown): string[] {
  return keysOf(tree).filter((name) => !Object.hasOwn(yamlSchema.shape, name));
}

function keysOf(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : [];
}

/** Known settings with values that only other versions know. */
function* otherValues(tree: unknown): Generator<{ path: Path; what: string }> {
  if (typeof valueAt(tree, ['fileStrategy']) === 'object')
    yield { path: ['fileStrategy'], what: 'one place is for all files' };
  for (const issue of yamlSchema.safeParse(tree).error?.issues ?? []) {
    const name = issue.path.findLast((step) => typeof step === 'string');
    const value = valueAt(tree, issue.path);
    if (name !== undefined && OTHER_WORDS[name]?.some((word) => word === value))
      yield { path: issue.path, what: `Parley has no ${String(value)}` };
  }
  for (const { path, value } of textsOf(tree, []))
    if (isPerPerson(path) && PLACEHOLDER.test(isOfCustom(path) ? value.replaceAll(USER_ID, '') : value))
      yield {
        path,
        what: `${PLACEHOLDER.exec(value)?.[0] ?? ''} is not filled in, so it is not sent`,
      };
  for (const name of keysOf(valueAt(tree, ['mcpServers']))) {
    const path = ['mcpServers', name];
    const url = valueAt(tree, [...path, 'url']);
    if (typeof url === 'string' && /^wss?:/i.test(url) && !isHttpUrl(url))
      yield { path, what: 'a server with a url is called by http or https' };
  }
}

/** Stands for something of the person who asks, or for a value that each person gives. */
const PLACEHOLDER = /\{\{\s*[A-Z][A-Z\d_]*\s*\}\}/;

/** Custom endpoints fill in this one. */
const USER_ID = '{{LIBRECHAT_USER_ID}}';

function isOfCustom([top, kind]: Path): boolean {
  return top === 'endpoints' && kind === 'custom';
}

/** Headers, and the variables of tool servers. */
function isPerPerson(path: Path): boolean {
  return ['headers', 'additionalHeaders', 'env'].includes(String(path.at(-2)));
}

function* textsOf(value: unknown, path: Path): Generator<{ path: Path; value: string }> {
  if (typeof value === 'string') yield { path, value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value))
    yield* textsOf(item, [...path, Array.isArray(value) ? Number(key) : key]);
}

/** Whether at most two letters differ, and few of a short name. */
function isNearly(name: string, known: string): boolean {
  const most = Math.min(2, Math.floor(known.length / 3));
  return Math.abs(name.length - known.length) <= most && distance(name.toLowerCase(), known.toLowerCase()) <= most;
}

/** Letters to add, remove or replace. */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = (above[at - 1] ?? 0) + (one[row - 1] === other[at - 1] ? 0 : 1);
      line.push(Math.min(replaced, (above[at] ?? 0) + 1, (line[at - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
