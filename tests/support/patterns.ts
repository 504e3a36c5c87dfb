// Every regular expression in the sources, read from the sources, so that new ones are included automatically.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';

export interface Pattern {
  /** Path from the repository root. */
  file: string;
  source: string;
  flags: string;
}

/** Operators run scripts on their own text. */
const WORKSPACES = ['schema', 'db', 'server', 'web'];
const root = fileURLToPath(new URL('../..', import.meta.url));

/** Patterns built at run time, as they come out with the smallest and with an ordinary argument. */
const BUILT: Record<string, [source: string, flags: string][]> = {
  'server/src/generation/event-builder.ts': [
    ['^[\\p{sc=Han}\\p{sc=Hiragana}\\u3000-\\u303f]', 'u'],
    ['[\\p{sc=Han}\\p{sc=Hiragana}\\u3000-\\u303f]$', 'u'],
  ],
  'web/src/content/code/fence.ts': [
    ['(?:^|\\n) {0,3}`{3,}[ \\t]*\\n*$', ''],
    ['(?:^|\\n) {0,3}`{1,2}$', ''],
    ['^ {1,3}', 'gm'],
  ],
  'web/src/content/math/find-math.ts': [['\\n[ \\t>]*`{3,}[ \\t]*(?=\\n|$)', 'g']],
  'server/src/providers/compatible/refusals.ts': [
    ['\\broles?\\b[^.;]{0,30}["\'`“”‘’]?stream_options\\b', 'i'],
    ['(?<![\\w-])(?:stream_options|streamOptions)(?![\\w-])', ''],
    ['["\'`“”‘’](?:body\\.)?stream_options["\'`“”‘’]', 'im'],
    ['^stream_options\\s*[:=]', 'im'],
    ['\\bstream_options=', 'im'],
    ['^stream_options (?:is|are) (?:not|un)', 'im'],
    ['\\bbody\\.stream_options\\b', 'im'],
    ['\\bstream_options (?:fields?|parameters?|params?|propert(?:y|ies)|arguments?|options?|keys?|inputs?)\\b', 'im'],
    ['\\b(?:fields?|parameters?|params?|propert(?:y|ies)|arguments?|options?|keys?|inputs?):? stream_options\\b', 'im'],
    [
      '\\b(?:fields?|parameters?|params?|propert(?:y|ies)|arguments?|options?|keys?|inputs?)[^:.]{0,30}:[^.;]{0,300}\\bstream_options\\b',
      'im',
    ],
  ],
  'server/src/providers/compatible/thought-tags.ts': [
    [
      '<(/?)(?:think|thinking|thoughts?|reasoning|scratchpad|antthinking|antml:thinking|seed:think|mm:think)[ \\t]{0,4}>',
      'iy',
    ],
  ],
  'web/src/content/fences/fence-lines.ts': [
    ['^([ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+(?=\\S))*)(`{3,}|~{3,})([^\\n]*)', ''],
    ['^[ \\t>]*(?:(?:[-*+]|\\d{1,9}[.)])[ \\t]+(?=\\S))*', ''],
    ['^ {0,3}</?(?:address|p|tr)(?:[\\s/>]|$)', 'i'],
  ],
  'web/src/content/html/tags.ts': [
    ['^<(/?)(?:(b|del|em|i|kbd|mark|s|strong|sub|sup|u|summary|details)\\s*|(br)\\s*/?|(details)\\s+(open))>$', 'i'],
    ['^( {0,3})<(?=/?summary\\s*>|(?:/?(?:b|del|em|i|kbd|mark|s|strong|sub|sup|u)\\s*|br\\s*/?)>[ \\t]*$)', 'gim'],
  ],
  'web/src/content/table/repair-table.ts': [
    ['(?<!`)`(?!`)', 'g'],
    ['(?<!`)```(?!`)', 'g'],
  ],
  // With ids of ours in them.
  'server/src/shares/copy-share.ts': [['/api/share/id/(?:images|files)/(\\d+)(?:\\.\\w+)?', 'g']],
  'server/src/shares/snapshot.ts': [['/(?:images|api/files/download)/id/([\\da-f-]{36})[^\\s()<>"\'\\]]*', 'g']],
  // It only checks whether a text of the operator's configuration is a valid pattern.
  'server/src/config/yaml/yaml-schema.ts': [],
  // The types that the operator accepts, as written in the yaml file.
  'schema/src/files/file-limits.ts': [],
};

/** The regular expression literals, and those of `BUILT`. */
export function listPatterns(): Pattern[] {
  const literals = listSources().flatMap((file) =>
    nodesOf(file).flatMap((node) =>
      node.regex ? [{ file, source: node.regex.pattern, flags: node.regex.flags }] : [],
    ),
  );
  const built = Object.entries(BUILT).flatMap(([file, all]) => all.map(([source, flags]) => ({ file, source, flags })));
  return [...literals, ...built];
}

/** A pattern as a reader finds it in the sources. */
export function nameOfPattern({ file, source, flags }: Pattern): string {
  return `${file} /${source}/${flags}`;
}

/** Files that call `new RegExp` and are not in `BUILT`, and files in `BUILT` that do not. */
export function listUnknownBuilders(): string[] {
  const builders = listSources().filter((file) =>
    nodesOf(file).some(({ type, callee }) => type === 'NewExpression' && callee?.name === 'RegExp'),
  );
  const known = Object.keys(BUILT);
  return [...builders.filter((file) => !known.includes(file)), ...known.filter((file) => !builders.includes(file))];
}

function listSources(): string[] {
  return WORKSPACES.flatMap((workspace) =>
    readdirSync(join(root, workspace, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${workspace}/src/${name}`),
  );
}

/** The part of a syntax tree node that this file reads. */
interface Node {
  type: string;
  regex?: { pattern: string; flags: string };
  callee?: { name?: string };
}

function nodesOf(file: string): Node[] {
  const { program } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  const nodes: Node[] = [];
  const open: unknown[] = [program];
  while (open.length > 0) {
    const item = open.pop();
    if (typeof item !== 'object' || item === null || item instanceof RegExp) continue;
    if (isNode(item)) nodes.push(item);
    open.push(...Object.values(item));
  }
  return nodes;
}

function isNode(item: object): item is Node {
  return 'type' in item && typeof item.type === 'string';
}
