/** A piece of a model's name, or what the name must look like. */
export type NamePiece = string | RegExp;

/** Names come with whatever gateways put before and behind them. */
export function isNamed(model: string, piece: NamePiece): boolean {
  return typeof piece === 'string' ? model.includes(piece) : piece.test(model);
}
