import { AddShared, SetAccess } from '@parley/schema/convos/access';
import { limitCalls } from '../abuse/call-limits.ts';
import { CreateFolder, FolderRef, MoveToFolder, SetFolderFiles, UpdateFolder } from '@parley/schema/convos/folders';
import { protectedProcedure, router } from '../http/trpc.ts';
import { addShared, listShared, readAccess, removeShared, setAccess } from './folder-access.ts';
import { listFolderFiles, setFolderFiles } from './folder-files.ts';
import { countConvos, createFolder, listFolders, moveToFolder, updateFolder } from './folders.ts';

export const foldersRouter = router({
  /** The folders of this user, by name; changes come through the change feed. */
  list: protectedProcedure.query(({ ctx }) => listFolders(ctx.deps.db, ctx.user.id)),

  /** How many conversations are in each that has any, archived ones included. */
  sizes: protectedProcedure.query(({ ctx }) => countConvos(ctx.deps.db, ctx.user.id)),

  create: protectedProcedure
    .input(CreateFolder)
    .mutation(({ ctx, input }) => createFolder(ctx.deps.db, ctx.user.id, input)),

  update: protectedProcedure
    .input(UpdateFolder)
    .mutation(({ ctx, input }) => updateFolder(ctx.deps.db, ctx.user.id, input)),

  /** Replaces the files that the model is shown in every chat in it. */
  setFiles: protectedProcedure
    .input(SetFolderFiles)
    .mutation(({ ctx, input }) => setFolderFiles(ctx.deps.db, ctx.user.id, input)),

  /** Of a folder that somebody else shares as well; the bytes of these stay with their owner. */
  files: protectedProcedure
    .input(FolderRef)
    .query(({ ctx, input }) => listFolderFiles(ctx.deps.db, ctx.user.id, input.id)),

  /** What others share with this user, who has not added it yet. */
  shared: protectedProcedure.query(({ ctx }) => listShared(ctx.deps.db, ctx.user.id)),

  /** Adds one of them to the own folders. Its conversations are the user's own. */
  addShared: protectedProcedure
    .input(AddShared)
    .mutation(({ ctx, input }) => addShared(ctx.deps.db, ctx.user.id, input)),

  /** Whom this user shares their folder with. */
  access: protectedProcedure.input(FolderRef).query(({ ctx, input }) => readAccess(ctx.deps.db, ctx.user.id, input.id)),

  /** Gives, changes or takes access to a folder of this user. */
  setAccess: protectedProcedure.input(SetAccess).mutation(async ({ ctx, input }) => {
    // A person who guesses addresses learns who has an account.
    if (input.to.to === 'login') await limitCalls(ctx, ctx.user.id, 'findPerson');
    return setAccess(ctx.deps, ctx.user.id, input);
  }),

  /** Its conversations stay. */
  remove: protectedProcedure.input(FolderRef).mutation(({ ctx, input }) => removeShared(ctx.deps, ctx.user.id, input)),
});

/** Stands in `convos`. */
export const convoFoldersRouter = router({
  moveToFolder: protectedProcedure
    .input(MoveToFolder)
    .mutation(({ ctx, input }) => moveToFolder(ctx.deps.db, ctx.user.id, input)),
});
