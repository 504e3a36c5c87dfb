// Answers of tRPC over HTTP that may be long, such as all messages of a conversation. tRPC would write the JSON of all
// of it in one turn of the event loop, seconds for some; here a mark takes its place until the JSON is sent.
import { randomUUID } from 'node:crypto';
import { CHARACTERS_AT_ONCE, createSlices } from '../platform/slices.ts';

/** The long answers to one request. */
export interface LongAnswers {
  /** Writes the JSON of an answer in slices, which yield to other requests, and returns its mark. */
  keep(answer: unknown): Promise<unknown>;
  /** The response with the answers in place of their marks. */
  fill(response: Response): Promise<Response>;
}

/** Levels whose lists and fields are written one by one: below are single messages and the like. */
const LEVELS = 2;

export function createLongAnswers(): LongAnswers {
  const answers = new Map<string, string[]>();
  return {
    async keep(answer) {
      if (answer === undefined) return undefined;
      const mark = `long-${randomUUID()}`;
      answers.set(mark, await writeInSlices(answer));
      return mark;
    },
    async fill(response) {
      if (answers.size === 0) return response;
      const { status, headers } = response;
      const pieces = withAnswers(await response.text(), answers);
      return new Response(streamOf(pieces), { status, headers });
    },
  };
}

/** The pieces of the JSON, each of about a slice. */
async function writeInSlices(value: unknown): Promise<string[]> {
  const slices = createSlices(CHARACTERS_AT_ONCE);
  const pieces: string[] = [];
  let piece = '';
  for (const text of jsonOf(value, LEVELS)) {
    piece += text;
    if (piece.length >= CHARACTERS_AT_ONCE) {
      pieces.push(piece);
      piece = '';
    }
    const turn = slices.spend(text.length);
    if (turn) await turn;
  }
  return [...pieces, piece];
}

function* jsonOf(value: unknown, levels: number): Generator<string> {
  if (levels === 0 || !isPlain(value)) return yield JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      yield at === 0 ? '[' : ',';
      yield* jsonOf(item, levels - 1);
    }
    return yield value.length === 0 ? '[]' : ']';
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  for (const [at, [name, field]] of fields.entries()) {
    yield `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`;
    yield* jsonOf(field, levels - 1);
  }
  yield fields.length === 0 ? '{}' : '}';
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

const MARKS = /"(long-[\da-f-]{36})"/;

function withAnswers(json: string, answers: ReadonlyMap<string, string[]>): string[] {
  // At odd places are what the pattern's group caught.
  return json.split(MARKS).flatMap((text, at) => (at % 2 === 0 ? text : (answers.get(text) ?? JSON.stringify(text))));
}

/** Sends each piece in a turn of its own. */
function streamOf(pieces: string[]): ReadableStream<Uint8Array> {
  const slices = createSlices(1);
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      await slices.spend();
      const piece = pieces[next] ?? '';
      pieces[next] = '';
      next += 1;
      controller.enqueue(encoder.encode(piece));
      if (next >= pieces.length) controller.close();
    },
  });
}
