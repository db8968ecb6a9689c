/** What a command takes, as data: parsing, help, completion and the manual page are made of it without loading the command. */

export interface Option {
  type: 'boolean' | 'string' | 'number';
  summary: string;
  /** What stands for its value in the help. */
  value?: string;
  short?: string;
  /** May be given several times. */
  multiple?: boolean;
  choices?: readonly string[];
}

interface Argument {
  summary: string;
  optional?: boolean;
  /** Takes all that follow. */
  rest?: boolean;
  choices?: readonly string[];
}

export interface Description {
  name: string;
  aliases?: readonly string[];
  summary: string;
  details?: string;
  /** In order. */
  arguments?: Readonly<Record<string, Argument>>;
  options?: Readonly<Record<string, Option>>;
  examples?: readonly (readonly [line: string, meaning: string])[];
  /** Everything behind the first argument belongs to another program. */
  passesOn?: boolean;
}

export function describe<const D extends Description>(description: D): D {
  return description;
}

type One<O> = O extends { type: 'boolean' }
  ? boolean
  : O extends { type: 'number' }
    ? number
    : O extends { choices: readonly (infer C)[] }
      ? C
      : string;

type OptionValue<O> = O extends { multiple: true }
  ? One<O>[]
  : O extends { type: 'boolean' }
    ? boolean
    : One<O> | undefined;

type ArgumentValue<A> = A extends { rest: true }
  ? string[]
  : A extends { optional: true }
    ? string | undefined
    : string;

/** The words so far, by the names of the description. */
export interface Given<D extends Description = Description> {
  arguments: D extends { arguments: infer A }
    ? { [K in keyof A]: ArgumentValue<A[K]> }
    : Record<never, never>;
  options: D extends { options: infer O } ? { [K in keyof O]: OptionValue<O[K]> } : Record<never, never>;
}
