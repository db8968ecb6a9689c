import { rewriteStrings } from '../json/strings.ts';
import { GatewayProblem } from '../problem.ts';
import { parseForeign, type Surface } from '../protocols/protocol.ts';
import type { StreamFilter } from '../relay/pump.ts';
import { type SseEvent, SseSplitter } from '../relay/sse.ts';
import { heldCharacters } from './finders.ts';
import { endOf, type Slot, slotsOf } from './slots.ts';
import type { TextRules } from './texts.ts';

/** A text that comes in pieces: what is not decided yet is held back. */
interface Channel {
  group: string;
  held: string;
  frame(text: string): string;
}

/**
 * Applies rules to a stream. Providers cut words wherever they like, so the end of each text is held back as long as
 * something that is looked for may have begun in it; never more than a bounded stretch.
 */
export class StreamGuard implements StreamFilter {
  readonly #rules: TextRules;
  readonly #surface: Surface;
  readonly #splitter = new SseSplitter();
  readonly #channels = new Map<string, Channel>();
  /** Of a rule that refuses what comes now: nothing may follow. */
  refusal: GatewayProblem | undefined;

  constructor(rules: TextRules, surface: Surface) {
    this.#rules = rules;
    this.#surface = surface;
  }

  /** What may be sent on for these whole events: all that stands before what a rule refuses. */
  push(text: string): string {
    let out = '';
    try {
      for (const event of this.#splitter.push(Buffer.from(text))) out += this.#event(event);
    } catch (error) {
      this.#refuse(error);
    }
    return out;
  }

  /** What is left when the stream has ended. */
  end(): string {
    if (this.refusal) return '';
    try {
      return this.#flush(() => true);
    } catch (error) {
      this.#refuse(error);
      return '';
    }
  }

  #refuse(error: unknown): void {
    if (!(error instanceof GatewayProblem)) throw error;
    this.refusal = error;
  }

  #event({ data, raw, name }: SseEvent): string {
    if (data === undefined) return raw;
    if (data === '[DONE]') return this.#flush(() => true) + raw;
    const event = parseForeign(data);
    const slots = slotsOf(this.#surface, event);
    if (slots.length === 0) {
      const ended = endOf(this.#surface, event);
      const before = ended === undefined ? '' : this.#flush((group) => ended === 'all' || group === ended);
      const rewritten = rewriteStrings(data, (text) => this.#rules.apply(text));
      if (rewritten === undefined) return before + this.#atFinish(event) + raw;
      return `${before}${this.#atFinish(event)}${name === '' ? '' : `event: ${name}\n`}data: ${rewritten}\n\n`;
    }
    // Another text of the same group has begun: the last one is whole.
    const keys = new Set(slots.map(({ key }) => key));
    const groups = new Set(slots.map(({ group }) => group));
    let before = this.#flush((group, key) => groups.has(group) && !keys.has(key));
    for (const slot of slots) slot.set(this.#piece(slot));
    before += this.#atFinish(event);
    return `${before}${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`;
  }

  // biome-ignore lint/suspicious/noExplicitAny: an event of a foreign protocol.
  #atFinish(event: any): string {
    if (this.#surface !== 'chat' || !Array.isArray(event?.choices)) return '';
    let out = '';
    for (const choice of event.choices) {
      if (!choice?.finish_reason) continue;
      // What the chunk itself carries goes first: it follows what was held back.
      const own = slotsOf('chat', { ...event, choices: [choice] });
      const group = String(choice.index ?? 0);
      for (const slot of own) {
        const channel = this.#channels.get(slot.key);
        if (!channel) continue;
        slot.set(slot.text + this.#rules.apply(channel.held));
        channel.held = '';
      }
      out += this.#flush((one) => one === group);
    }
    return out;
  }

  #piece(slot: Slot): string {
    const { key, group, frame } = slot;
    const channel = this.#channels.get(key) ?? { group, held: '', frame };
    channel.frame = frame;
    this.#channels.set(key, channel);
    const all = channel.held + slot.text;
    const decided = this.#rules.decided(all, Math.max(0, all.length - heldCharacters));
    channel.held = all.slice(decided);
    return this.#rules.apply(all.slice(0, decided));
  }

  #flush(wanted: (group: string, key: string) => boolean): string {
    let out = '';
    for (const [key, channel] of this.#channels) {
      if (!wanted(channel.group, key)) continue;
      this.#channels.delete(key);
      if (channel.held !== '') out += channel.frame(this.#rules.apply(channel.held));
    }
    return out;
  }
}

/** The words of an answer, for a webhook: without reasoning, arguments and what surrounds them. */
export function wordsOf(surface: Surface, stream: string): string {
  let words = '';
  for (const { data } of new SseSplitter().push(Buffer.from(stream)))
    if (data !== undefined && data !== '[DONE]')
      for (const slot of slotsOf(surface, JSON.parse(data))) if (slot.isAnswer) words += slot.text;
  return words;
}
