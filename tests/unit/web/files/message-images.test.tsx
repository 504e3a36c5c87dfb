// @vitest-environment happy-dom
// The images of a question: tiles of one size, of which a message shows a few.
import { QueryClientProvider } from '@tanstack/react-query';
import type { ImagePart } from '@parley/schema/messages/messages';
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import { getDefaultStore } from 'jotai/vanilla';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { openDialogAtom } from '../../../../web/src/dialogs/open-dialog.ts';
import { MessageAttachments } from '../../../../web/src/files/message/message-attachments.tsx';
import { startEnglish } from '../start-english.ts';
import { queryClient } from '../../../../web/src/trpc.ts';

beforeAll(startEnglish);
afterEach(cleanup);

test('eight of thirty images are shown; the last one says how many more there are', () => {
  draw(30);
  expect(screen.getAllByRole('img')).toHaveLength(8);
  const last = screen.getByRole('button', { name: /^Open 7\.png ?and 22 more pictures$/ });
  last.click();
  expect(getDefaultStore().get(openDialogAtom)?.dialog).toMatchObject({ name: 'picture', index: 0 });
});

test('a single image has its own proportions', () => {
  draw(1);
  expect(screen.getByRole('img').getAttribute('height')).toBe('240');
});

function draw(count: number): void {
  const parts = Array.from({ length: count }, (_, n): ImagePart => {
    return { type: 'image', fileId: `f${n}`, path: `/images/u/${n}.png`, width: 600, height: 400, name: `${n}.png` };
  });
  render(
    <QueryClientProvider client={queryClient}>
      <MantineProvider>
        <MessageAttachments message={{ parts }} />
      </MantineProvider>
    </QueryClientProvider>,
  );
}
