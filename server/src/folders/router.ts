import { CreateFolder, FolderRef, MoveToFolder, SetFolderFiles, UpdateFolder } from '@parley/schema/convos/folders';
import { protectedProcedure, router } from '../http/trpc.ts';
import { setFolderFiles } from './folder-files.ts';
import { countConvos, createFolder, listFolders, moveToFolder, removeFolder, updateFolder } from './folders.ts';

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

  /** Its conversations stay. */
  remove: protectedProcedure
    .input(FolderRef)
    .mutation(({ ctx, input }) => removeFolder(ctx.deps.db, ctx.user.id, input.id)),
});

/** Stands in `convos`. */
export const convoFoldersRouter = router({
  moveToFolder: protectedProcedure
    .input(MoveToFolder)
    .mutation(({ ctx, input }) => moveToFolder(ctx.deps.db, ctx.user.id, input)),
});
