// Tests of this room: tests/unit/schema.

/** The bytes of a file, wherever they are. */
export interface ByteSource {
  size: number;
  /** Fewer bytes than `length` at the end of the file. */
  read(at: number, length: number): Promise<Uint8Array>;
}
