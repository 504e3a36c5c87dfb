// Procedures for stored files. Uploads and downloads are streams over HTTP (upload/, serve/).
import * as z from 'zod';
import { FileSetRef, SaveFileSet } from '@parley/schema/files/file-sets';
import type { DocumentStatus } from '@parley/schema/files/documents';
import type { FileUsage } from '@parley/schema/files/stored-file';
import { ATTACHMENTS_MAX } from '@parley/schema/chat/ask';
import { audit } from '../platform/audit.ts';
import { withServices } from '../http/trpc.ts';
import { queueAgain, readPassage } from '../retrieval/documents.ts';
import { readText } from '../retrieval/read-text.ts';
import { removeAvatar } from './avatar.ts';
import { discardFiles, listFiles, removeFiles } from './files.ts';
import { listSets, removeSet, saveSet } from './library/sets.ts';
import { countUses, listUses } from './library/uses.ts';
import { usedBytes } from './quota.ts';
import { readAttachments } from './read-attachments.ts';
import type { UploadServices } from './upload/upload-file.ts';

const { protectedProcedure, router } = withServices<UploadServices>();

const PAGE_FILES = 100;
const PAGE_MAX = 200;
const REMOVE_MAX = 1000;
const PLACE_MAX = 1_000_000;

const Page = z.strictObject({
  cursor: z.string().max(100).nullish(),
  limit: z.int().min(1).max(PAGE_MAX).default(PAGE_FILES),
});

export const filesRouter = router({
  /** A page of this user's files, newest first; avatars are left out. */
  list: protectedProcedure
    .input(Page.optional())
    .query(({ ctx, input }) => listFiles(ctx.deps.db, ctx.user.id, { limit: PAGE_FILES, ...input })),

  /** Deletes files; missing and foreign ids are skipped. Returns the ids of those that were deleted. */
  remove: protectedProcedure
    .input(z.strictObject({ ids: z.array(z.uuid()).max(REMOVE_MAX) }))
    .mutation(async ({ ctx, input }): Promise<{ removed: string[] }> => {
      const removed = await removeFiles(ctx.deps, ctx.user.id, input.ids);
      if (removed.length > 0) audit(ctx.deps, 'files_removed', { userId: ctx.user.id, count: removed.length });
      return { removed };
    }),

  /** Deletes files that were taken out of the questions of these drafts, unless something else has them. */
  discard: protectedProcedure
    .input(
      z.strictObject({
        ids: z.array(z.uuid()).max(REMOVE_MAX),
        drafts: z.array(z.string().min(1).max(100)).max(REMOVE_MAX),
      }),
    )
    .mutation(async ({ ctx, input }): Promise<{ removed: string[] }> => {
      return { removed: await discardFiles(ctx.deps, ctx.user.id, input) };
    }),

  /** Which of these files this user has. */
  existing: protectedProcedure
    .input(z.strictObject({ ids: z.array(z.uuid()).max(ATTACHMENTS_MAX) }))
    .query(async ({ ctx, input }): Promise<string[]> => {
      const found = await readAttachments(ctx.deps.db.query, ctx.user.id, input.ids);
      return found.map(({ fileId }) => fileId);
    }),

  /** How much this user has stored, and may store. */
  usage: protectedProcedure.query(async ({ ctx: { deps, user } }): Promise<FileUsage> => {
    const { files, retrieval } = deps.config;
    return {
      bytes: await usedBytes(deps.db.query, user.id),
      quotaBytes: files.quotaBytes,
      isFoundByMeaning: (retrieval.rag ?? retrieval.embeddings) !== undefined,
    };
  }),

  /** Takes this user's image away. */
  removeAvatar: protectedProcedure.mutation(({ ctx }) => removeAvatar(ctx.deps, ctx.user.id)),

  /** What uses a file. */
  usesOf: protectedProcedure
    .input(z.strictObject({ fileId: z.uuid() }))
    .query(({ ctx, input }) => listUses(ctx.deps.db, ctx.user.id, input.fileId)),

  /** How much uses any of these files, so that their person knows before they are deleted. */
  countUses: protectedProcedure
    .input(z.strictObject({ ids: z.array(z.uuid()).max(REMOVE_MAX) }))
    .query(({ ctx, input }) => countUses(ctx.deps.db, ctx.user.id, input.ids)),

  /** A passage of a file with its neighbours, for what an answer cites. */
  passage: protectedProcedure
    .input(z.strictObject({ fileId: z.uuid(), n: z.int().min(0).max(PLACE_MAX) }))
    .query(({ ctx, input }) => readPassage(ctx.deps.db.query, ctx.user.id, input)),

  /** The text of a file, as far as the index has read it; in parts, from the place that the part before it names. */
  text: protectedProcedure
    .input(z.strictObject({ fileId: z.uuid(), cursor: z.int().min(0).max(PLACE_MAX).nullish() }))
    .query(({ ctx, input: { fileId, cursor } }) => readText(ctx.deps.db.query, ctx.user.id, fileId, cursor ?? 0)),

  /** Reads the text of a file again after a failure. */
  readAgain: protectedProcedure
    .input(z.strictObject({ fileId: z.uuid() }))
    .mutation(async ({ ctx, input }): Promise<DocumentStatus> => {
      const status = await queueAgain(ctx.deps.db.query, ctx.user.id, input.fileId);
      ctx.deps.retrieval.wake();
      return status;
    }),

  sets: router({
    /** By name; changes come through the change feed, as those of folders. */
    list: protectedProcedure.query(({ ctx }) => listSets(ctx.deps.db, ctx.user.id)),

    save: protectedProcedure.input(SaveFileSet).mutation(({ ctx, input }) => saveSet(ctx.deps.db, ctx.user.id, input)),

    /** Its files stay. */
    remove: protectedProcedure
      .input(FileSetRef)
      .mutation(({ ctx, input }) => removeSet(ctx.deps.db, ctx.user.id, input.id)),
  }),

  /** The file limits from the configuration, sizes in MB; null when none are configured. */
  config: protectedProcedure.query(({ ctx }) => ctx.deps.config.files.limits ?? null),
});
