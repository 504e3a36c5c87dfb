// @vitest-environment happy-dom
// What the browser refuses before an upload, and in which words.
import { fileLimitsOf } from '@parley/schema/files/file-limits';
import { strToU8, zipSync } from 'fflate';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { checkFiles } from '../../../../web/src/files/upload/check-files.ts';
import { describeProblem, describeUploadError } from '../../../../web/src/files/upload/describe-problem.ts';
import { withTypes } from '../../../../web/src/files/upload/type-of-file.ts';
import { uploadErrorTexts } from '../../../../web/src/files/upload/report-upload-errors.tsx';
import { UploadError } from '../../../../web/src/files/upload/upload-file.ts';
import { chooseLanguage, i18n } from '../../../../web/src/i18n.ts';
import { startEnglish } from '../start-english.ts';

const limits = fileLimitsOf('openAI', {
  endpoints: { openAI: { fileLimit: 3, fileSizeLimit: 2, totalSizeLimit: 3 } },
});
const MB = 1_048_576;
const file = (name: string, mime: string, size = 10) => ({ file: { name, size }, mime });
const facts = (name: string, mime: string, bytes = 10) => ({ name, mime, bytes });

beforeAll(startEnglish);

function sentences(files: Parameters<typeof checkFiles>[0], present: Parameters<typeof checkFiles>[1] = []): string[] {
  return checkFiles(files, present, limits).problems.map(({ problem }) => describeProblem(problem, i18n.t));
}

test('an endpoint that takes no files has the name that the page shows', () => {
  expect(describeProblem({ type: 'not_here', endpoint: 'anthropic' }, i18n.t)).toBe('Anthropic takes no files.');
  expect(describeProblem({ type: 'not_here', endpoint: 'My proxy' }, i18n.t)).toBe('My proxy takes no files.');
});

describe('a file is refused', () => {
  test.each([
    [file('noise', 'application/octet-stream'), 'Unable to determine file type for: noise'],
    [file('nothing.png', 'image/png', 0), 'nothing.png is empty.'],
    [
      file('sea.heic', 'image/heic'),
      'Currently, unsupported file type: HEIC. Save the file as JPEG and attach it again.',
    ],
    [file('tune.mp3', 'audio/mpeg'), 'Currently, unsupported file type: audio/mpeg'],
    [file('a.pdf', 'application/pdf', 2 * MB + 1), 'File size exceeds 2 MB.'],
  ])('%j with its sentence', (one, sentence) => {
    expect(sentences([one])).toEqual([sentence]);
  });

  test('when the total is too large, attached files included', () => {
    const present = [facts('a.pdf', 'application/pdf', 2 * MB)];
    expect(sentences([file('b.pdf', 'application/pdf', 1.5 * MB)], present)).toEqual([
      'The total size of the files cannot exceed 3 MB.',
    ]);
  });

  test('when an equal name, size and type is attached or chosen already', () => {
    expect(sentences([file('a.txt', 'text/plain')], [facts('a.txt', 'text/plain')])).toEqual([
      'Duplicate file detected.',
    ]);
    expect(sentences([file('a.txt', 'text/plain'), file('a.txt', 'text/plain')])).toHaveLength(1);
    expect(sentences([file('a.txt', 'text/plain', 11)], [facts('a.txt', 'text/plain')])).toEqual([]);
  });
});

test('too many files are refused together, before other checks', () => {
  const { accepted, problems } = checkFiles(
    [file('tune.mp3', 'audio/mpeg'), file('b.txt', 'text/plain')],
    [facts('c.txt', 'text/plain'), facts('d.txt', 'text/plain')],
    limits,
  );
  expect(accepted).toEqual([]);
  expect(problems.map(({ problem }) => describeProblem(problem, i18n.t))).toEqual([
    'You can only upload up to 3 files at a time.',
  ]);
  expect(problems.map(({ names }) => names)).toEqual([['tune.mp3', 'b.txt']]);
});

test('valid files of a choice are accepted', () => {
  const { accepted, problems } = checkFiles(
    [file('tune.mp3', 'audio/mpeg'), file('run.py', 'text/x-python')],
    [],
    limits,
  );
  expect(accepted.map(({ file: { name }, mime }) => [name, mime])).toEqual([['run.py', 'text/x-python']]);
  expect(problems).toEqual([{ problem: { type: 'unsupported_type', mime: 'audio/mpeg' }, names: ['tune.mp3'] }]);
  expect(checkFiles([file('noise', 'application/octet-stream')], [], limits).problems).toMatchObject([{ names: [] }]);
});

// What Chromium declares of such files on Windows and Linux.
test.each([
  ['c', 'text/x-csrc'],
  ['cs', 'text/x-csharp'],
  ['cpp', 'text/x-c++src'],
  ['md', ''],
  ['php', 'application/x-php'],
  ['py', 'text/x-python3'],
  ['rb', 'application/x-ruby'],
  ['tex', 'text/x-tex'],
  ['js', 'application/javascript'],
  ['sh', 'application/x-shellscript'],
  ['ts', 'text/vnd.trolltech.linguist'],
  ['ts', 'video/mp2t'],
  ['go', 'text/x-go'],
  ['rs', 'text/rust'],
  ['xml', 'text/xml'],
  ['sql', 'application/sql'],
  ['yaml', 'application/x-yaml'],
  ['svg', 'image/svg+xml'],
  ['Dockerfile', ''],
])('a text is attached whatever the browser declares of it (.%s: "%s")', async (ending, type) => {
  const typed = await withTypes([new File(['some text'], `a.${ending}`, { type })]);
  expect(checkFiles(typed, [], limits).problems).toEqual([]);
});

test('a ZIP archive is attached by its bytes, as Windows declares it', async () => {
  const typed = await withTypes([
    new File([Uint8Array.from(zipSync({ 'a.txt': strToU8('a') }))], 'a.zip', { type: 'application/x-zip-compressed' }),
  ]);
  expect(checkFiles(typed, [], limits)).toMatchObject({ accepted: [{ mime: 'application/zip' }], problems: [] });
});

test('a file that the browser cannot read any more is refused', async () => {
  const gone = Object.assign(new File(['x'], 'gone.txt'), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) }),
  });
  expect(checkFiles(await withTypes([gone]), [], limits).problems).toMatchObject([
    { problem: { type: 'unknown_type', name: 'gone.txt' } },
  ]);
});

describe('the message about refused files', () => {
  const list = (...sentences: [string, string[]][]) =>
    uploadErrorTexts(new Map(sentences.map(([sentence, names]) => [sentence, new Set(names)])));

  test('is one text for each sentence', () => {
    expect(list(['One.', []], ['Two.', []])).toEqual(['One.', 'Two.']);
  });

  test('names the files below the sentence that does not', () => {
    expect(list(['File size exceeds 2 MB.', ['sea.png', 'plan.pdf']])).toEqual([
      'File size exceeds 2 MB.\nsea.png, plan.pdf',
    ]);
    expect(list(['One.', ['a.txt']], ['Two.', ['b.txt']])).toEqual(['One.\na.txt', 'Two.\nb.txt']);
  });

  test('shows three names, and how many more there are', () => {
    const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'];
    expect(list(['Too many.', names])).toEqual(['Too many.\na.txt, b.txt, c.txt, +2']);
  });
});

describe('a refusal by the server is shown', () => {
  const message = 'Currently, unsupported file type: application/pdf';
  const tell = (body: unknown) => describeUploadError(new UploadError(body), i18n.t);
  afterEach(() => chooseLanguage('en-US'));

  test('in the language of the page', async () => {
    const body = { message, problem: { type: 'unsupported_type', mime: 'application/pdf' } };
    expect(tell(body)).toBe('Currently, unsupported file type: application/pdf');
    await chooseLanguage('de-DE');
    expect(tell({ message: 'This picture cannot be read.', problem: { type: 'image_unreadable' } })).toBe(
      'Das Bild kann nicht gelesen werden.',
    );
  });

  test('in its own words if it says no more', () => {
    expect(tell({ message: 'The form is not complete.' })).toBe('The form is not complete.');
  });

  test('as a missing connection while the browser is offline', () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    expect(tell(null)).toBe('You are offline. Upload the file again once you are connected.');
    online.mockRestore();
  });

  test('in general words if it says nothing', () => {
    expect(tell(null)).toBe('An error occurred while uploading the file. Please try again.');
    expect(tell({ problem: { type: 'of a later version' } })).toBe(
      'An error occurred while uploading the file. Please try again.',
    );
  });
});
