/** Ctrl-C, at a question or while something ran. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  constructor() {
    super('Interrupted.');
  }
}
