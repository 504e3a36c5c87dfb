// What is known of conversations beside their kernels: the files that the code has made, for the next kernel.
import type { Attachment } from '@parley/schema/messages/messages';
import type { DataFile, DiskUse } from './data-files.ts';
import type { Kernel } from './kernel.ts';

export interface WorkingDirectory {
  diskUse: DiskUse;
  /** Whether the kernel is the one before, another one, or the first of this conversation in this process. */
  begin(kernel: Kernel): 'same' | 'another' | 'first';
  /** Whether the kernel has the file, by its id, or by what else names it. */
  has(fileId: string): boolean;
  note(fileId: string): void;
  /** What the code has made, by its name in the folder. */
  made(): DataFile[];
  remember(files: readonly DataFile[]): void;
}

export interface WorkingDirectories {
  of(userId: string, convoId: string): WorkingDirectory;
}

/** How many conversations are remembered, those that were used last. */
const SESSIONS_MAX = 500;

export function createWorkingDirectories(): WorkingDirectories {
  const sessions = new Map<string, WorkingDirectory>();
  return {
    of(userId, convoId) {
      const key = `${userId} ${convoId}`;
      const session = sessions.get(key) ?? createWorkingDirectory();
      sessions.delete(key);
      sessions.set(key, session);
      const [oldest] = sessions.keys();
      if (sessions.size > SESSIONS_MAX && oldest !== undefined) sessions.delete(oldest);
      return session;
    },
  };
}

function createWorkingDirectory(): WorkingDirectory {
  const made = new Map<string, Attachment>();
  const inside = new Set<string>();
  const diskUse: DiskUse = { used: 0 };
  let current: Kernel | null = null;
  return {
    diskUse,
    begin(kernel) {
      if (kernel === current) return 'same';
      const begun = current === null ? 'first' : 'another';
      current = kernel;
      inside.clear();
      diskUse.used = 0;
      return begun;
    },
    has: (fileId) => inside.has(fileId),
    note: (fileId) => void inside.add(fileId),
    made: () => [...made].map(([name, file]) => ({ name, file })),
    remember(files) {
      for (const { name, file } of files) {
        made.set(name, file);
        inside.add(file.fileId);
      }
    },
  };
}
