import { applicationIdOf, applicationPrefix, type Environment } from '#adapters/lmdb/environment.ts';
import { never } from '#core/cache.ts';

/** What an application has and did; for all of them together only `bytes` is kept. */
export interface State {
  /** The last version that was given out. */
  version: number;
  items: number;
  bytes: number;
  hits: number;
  misses: number;
  evictions: number;
  /** No item of the application expires before this moment; milliseconds. */
  nextExpiry: number;
}

const fields = ['version', 'items', 'bytes', 'hits', 'misses', 'evictions', 'nextExpiry'] as const;
const stateBytes = fields.length * 8;

export const allApplications = '00000000-0000-0000-0000-000000000000';

export function readState({ states }: Environment, applicationId: string): State {
  const bytes = states.getBinaryFast(applicationPrefix(applicationId));
  return bytes ? decodeState(bytes) : newState();
}

export function writeState({ states }: Environment, applicationId: string, state: State): void {
  const bytes = Buffer.allocUnsafe(stateBytes);
  fields.forEach((field, index) => void bytes.writeDoubleLE(state[field], index * 8));
  states.putSync(applicationPrefix(applicationId), bytes);
}

export function removeState({ states }: Environment, applicationId: string): void {
  states.removeSync(applicationPrefix(applicationId));
}

/** The states of the applications after that one, by id. */
export function* statesFrom(
  { states }: Environment,
  { after = allApplications, limit }: { after?: string | undefined; limit: number },
): Generator<[applicationId: string, State]> {
  const start = Buffer.concat([applicationPrefix(after), Buffer.of(0)]);
  for (const { key, value } of states.getRange({ start, limit }))
    yield [applicationIdOf(key), decodeState(value)];
}

function newState(): State {
  return { version: 0, items: 0, bytes: 0, hits: 0, misses: 0, evictions: 0, nextExpiry: never };
}

function decodeState(bytes: Buffer): State {
  const state = newState();
  fields.forEach((field, index) => {
    state[field] = bytes.readDoubleLE(index * 8);
  });
  return state;
}
