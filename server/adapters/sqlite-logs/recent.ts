/** The part that was read last: lines are asked for one after the other. */
export class Recent<P> {
  readonly #read: (number: number) => P;
  #number = -1;
  #part: P | undefined;

  constructor(read: (number: number) => P) {
    this.#read = read;
  }

  part(number: number): P {
    if (number !== this.#number) {
      this.#part = this.#read(number);
      this.#number = number;
    }
    return this.#part as P;
  }
}
