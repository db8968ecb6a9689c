import type { Json } from '../json/body.ts';
import { withPlainContent } from './chat-content.ts';
import { makeId } from './hub.ts';

/** What some providers of chat completions leave out or mix up, and clients break without. */

/** The choices of a whole response, repaired in place; whether anything was. */
export function repairedChoices(choices: Json[]): { choices: Json[]; repaired: boolean } {
  let repaired = false;
  for (const choice of choices) {
    const calls = choice?.message?.tool_calls;
    if (Array.isArray(calls) && calls.length > 0) {
      if (choice.finish_reason === 'stop') {
        choice.finish_reason = 'tool_calls';
        repaired = true;
      }
      for (const call of calls) if (completeCall(call)) repaired = true;
    }
    if (withPlainContent(choice?.message)) repaired = true;
  }
  return { choices, repaired };
}

/** Adds the id, the type and the arguments that a call must have; whether one was missing. */
function completeCall(call: Json): boolean {
  if (typeof call !== 'object' || call === null) return false;
  let repaired = false;
  const put = (on: Json, name: string, value: unknown) => {
    on[name] = value;
    repaired = true;
  };
  if (typeof call.id !== 'string' || call.id === '') put(call, 'id', makeId('call_'));
  if (call.type === undefined || call.type === null) put(call, 'type', 'function');
  if (call.type !== 'function') return repaired;
  if (typeof call.function !== 'object' || call.function === null) put(call, 'function', { name: '' });
  const given = call.function.arguments;
  if (typeof given !== 'string') put(call.function, 'arguments', given == null ? '' : JSON.stringify(given));
  return repaired;
}

/** A call of a stream. Its place in the list is the index that the client is told. */
interface BegunCall {
  /** As the provider numbers it; null: it does not. */
  index: number | null;
  id: string;
}

/** The tool calls of one choice of a stream: each has an index of its own, and begins with its id and name. */
export class CallRepairs {
  readonly #begun: BegunCall[] = [];

  /** Repairs the calls of a delta in place; whether anything was. */
  mend(calls: Json[]): boolean {
    let repaired = false;
    for (const call of calls) {
      if (typeof call !== 'object' || call === null) continue;
      let at = this.#placeOf(call);
      if (at < 0) {
        repaired = completeCall(call) || repaired;
        at = this.#begun.push({ index: numbered(call), id: call.id }) - 1;
      }
      if (call.index === at) continue;
      call.index = at;
      repaired = true;
    }
    return repaired;
  }

  /** Of the call that this goes on with; -1: it begins one. */
  #placeOf(call: Json): number {
    const index = numbered(call);
    const id = typeof call.id === 'string' ? call.id : '';
    const name = call.function?.name;
    const isNamed = typeof name === 'string' && name !== '';
    if (index === null && id !== '') return this.#begun.findLastIndex((begun) => begun.id === id);
    if (index === null) return isNamed ? -1 : this.#begun.length - 1;
    const at = this.#begun.findLastIndex((begun) => begun.index === index);
    // Some give every call the same index: another id with a name and arguments from their beginning is another call.
    const isOther = at >= 0 && id !== '' && id !== this.#begun[at]?.id && isNamed;
    return isOther && /^\s*(\{|$)/.test(call.function.arguments ?? '') ? -1 : at;
  }
}

function numbered({ index }: Json): number | null {
  return typeof index === 'number' ? index : null;
}
