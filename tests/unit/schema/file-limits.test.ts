import { fileLimitsOf, MEGABYTE } from '@parley/schema/files/file-limits';
import { expect, it } from 'vitest';

const yaml = {
  serverFileSizeLimit: 100,
  endpoints: { default: { fileLimit: 3, fileSizeLimit: 5 }, openAI: { fileLimit: 4 } },
};

it('an endpoint has its own limits, and those of the default for what it does not say', () => {
  expect(fileLimitsOf('openAI', yaml)).toMatchObject({ files: 4, fileBytes: 5 * MEGABYTE, totalBytes: 512 * MEGABYTE });
  expect(fileLimitsOf('google', yaml)).toMatchObject({ files: 3, fileBytes: 5 * MEGABYTE });
});

it('assistants have limits of their own, whatever the default says, below that of the server', () => {
  expect(fileLimitsOf('assistants', yaml)).toMatchObject({ files: 10, fileBytes: 100 * MEGABYTE });
  expect(fileLimitsOf('assistants', { endpoints: { default: { disabled: true } } })).toMatchObject({
    isDisabled: false,
    files: 10,
  });
  expect(fileLimitsOf('assistants', { endpoints: { assistants: { disabled: true } } }).isDisabled).toBe(true);
});
