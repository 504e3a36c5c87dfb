import { useQuery } from '@tanstack/react-query';
import { api, queryClient } from '../trpc.ts';

interface Asked {
  fileId: string;
  resolve: (exists: boolean) => void;
  reject: (error: unknown) => void;
}

/** Milliseconds in which questions are gathered: the rows of a message are drawn together. */
const GATHER_MS = 20;

/** Files of one question. */
const ASKED_MAX = 50;

let asked: Asked[] = [];

/** Whether a file of the user still exists; true until it is known, and while it cannot be. */
export function useExists(fileId: string, isAsked: boolean): boolean {
  const { data = true } = useQuery(
    {
      queryKey: ['files', 'exists', fileId],
      queryFn: () => exists(fileId),
      enabled: isAsked,
      staleTime: Infinity,
      retry: false,
    },
    // Messages are drawn outside of the app, too, for images of conversations.
    queryClient,
  );
  return data;
}

function exists(fileId: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    asked.push({ fileId, resolve, reject });
    if (asked.length === 1) setTimeout(askTogether, GATHER_MS);
  });
}

function askTogether(): void {
  const all = asked;
  asked = [];
  for (let at = 0; at < all.length; at += ASKED_MAX) void ask(all.slice(at, at + ASKED_MAX));
}

async function ask(some: readonly Asked[]): Promise<void> {
  try {
    const found = new Set(await api.files.existing.query({ ids: some.map(({ fileId }) => fileId) }));
    for (const { fileId, resolve } of some) resolve(found.has(fileId));
  } catch (error) {
    for (const { reject } of some) reject(error);
  }
}
