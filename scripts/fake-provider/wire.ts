/** A wire is one provider's protocol; adding a provider to the fake is one file that exports one of these. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Line } from './line.ts';
import type { RecordedRequest } from './record.ts';
import type { Play } from './scenario.ts';
import type { Choice } from './scenarios.ts';

/** One request as a wire sees it. */
export type Exchange = {
  request: RecordedRequest;
  /** Without the `/as/<scenario>` prefix. */
  path: string;
  line: Line;
  choose(model: string, text: string): Choice;
  /** Notes the scenario in the record, counts the attempt and returns what is to be played. */
  play(choice: Choice, question: string): Play;
  /** The play that a header or the path's prefix demands, for calls that carry no model and no text. */
  demanded(): Play | undefined;
  scenarioNames: string[];
  /** What was begun with wires that keep conversations themselves, and is not forgotten: ids of their own. */
  kept: Map<string, string>;
};

export type Wire = {
  /** Some share a path and differ in a header. */
  serves(method: string, path: string, headers: IncomingHttpHeaders): boolean;
  answer(exchange: Exchange): Promise<void>;
};

const json = { 'content-type': 'application/json' };

/** Answers with a JSON body and ends. */
export function sendJson(line: Line, status: number, body: unknown, headers: Record<string, string> = {}): void {
  line.head(status, { ...json, 'x-request-id': `req_${line.record.id}`, ...headers });
  line.end(JSON.stringify(body));
}

/** Plays whatever is not a speech; `errorBody` writes the wire's own error. */
export async function playOther(
  play: Exclude<Play, { kind: 'speech' }>,
  line: Line,
  errorBody: (refusal: Extract<Play, { kind: 'refusal' }>) => unknown,
): Promise<void> {
  switch (play.kind) {
    case 'refusal':
      return sendJson(line, play.status, errorBody(play), play.headers);
    case 'page':
      line.head(play.status, { 'content-type': play.contentType });
      return line.end(play.body);
    case 'silence':
      return line.hang();
    case 'drop':
      return line.cut('cut');
    default:
      return play satisfies never;
  }
}
