import type { Json } from '../json/body.ts';
import type { Surface } from '../protocols/protocol.ts';

/** A place of an event of a stream where a piece of a longer text stands. */
export interface Slot {
  /** Of the text that it is a piece of. */
  key: string;
  /** Texts of one group follow each other: when another one begins, the last one has ended. */
  group: string;
  text: string;
  /** Whether it is what the model answers, rather than reasoning or arguments. */
  isAnswer: boolean;
  set(text: string): void;
  /** The event with nothing but this piece, for what was held back. */
  frame(text: string): string;
}

const sse = (event: Json) => `data: ${JSON.stringify(event)}\n\n`;
const named = (event: Json) => `event: ${event.type}\n${sse(event)}`;

/** The pieces of text in an event; an event without any tells all that it has at once. */
export function slotsOf(surface: Surface, event: Json): Slot[] {
  if (surface === 'chat') return chatSlots(event);
  const slot = surface === 'messages' ? messageSlot(event) : responseSlot(event);
  return slot ? [slot] : [];
}

/** The group whose texts end with this event; `all`: those of every group; undefined: none does. */
export function endOf(surface: Surface, event: Json): string | undefined {
  if (surface === 'messages') {
    if (event?.type === 'content_block_stop') return String(event.index);
    return event?.type === 'message_delta' || event?.type === 'message_stop' ? 'all' : undefined;
  }
  const type = String(event?.type ?? '');
  if (type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed')
    return 'all';
  return type.endsWith('.done') ? String(event.item_id ?? event.item?.id ?? '') : undefined;
}

const chatFields = ['reasoning_content', 'reasoning', 'content', 'refusal'];

function chatSlots(event: Json): Slot[] {
  const slots: Slot[] = [];
  for (const choice of Array.isArray(event?.choices) ? event.choices : []) {
    const { delta } = choice ?? {};
    if (typeof delta !== 'object' || delta === null) continue;
    const group = String(choice.index ?? 0);
    const { id, object, created, model } = event;
    const frame = (one: Json) =>
      sse({
        ...{ id, object, created, model },
        choices: [{ index: choice.index ?? 0, delta: one, logprobs: null, finish_reason: null }],
      });
    const add = (key: string, holder: Json, field: string, around: (text: string) => Json) => {
      if (typeof holder?.[field] !== 'string') return;
      slots.push({
        key: `${group} ${key}`,
        group,
        text: holder[field],
        isAnswer: field === 'content',
        set: (text) => {
          holder[field] = text;
        },
        frame: (text) => frame(around(text)),
      });
    };
    for (const field of chatFields) add(field, delta, field, (text) => ({ [field]: text }));
    for (const [at, detail] of Object.entries<Json>(delta.reasoning_details ?? []))
      for (const field of ['text', 'summary'])
        add(`detail ${detail?.index ?? at} ${field}`, detail, field, (text) => {
          const { signature: _, ...rest } = detail;
          return { reasoning_details: [{ ...rest, [field]: text }] };
        });
    for (const call of delta.tool_calls ?? []) {
      const index = call?.index ?? 0;
      add(`call ${index}`, call?.function, 'arguments', (text) => ({
        tool_calls: [{ index, function: { arguments: text } }],
      }));
    }
  }
  return slots;
}

const messageFields = ['text', 'thinking', 'partial_json'];

function messageSlot(event: Json): Slot | undefined {
  if (event?.type !== 'content_block_delta') return undefined;
  const field = messageFields.find((name) => typeof event.delta?.[name] === 'string');
  if (field === undefined) return undefined;
  return {
    key: `${event.index} ${field}`,
    group: String(event.index),
    text: event.delta[field],
    isAnswer: field === 'text',
    set: (text) => {
      event.delta[field] = text;
    },
    frame: (text) => named({ ...event, delta: { ...event.delta, [field]: text } }),
  };
}

function responseSlot(event: Json): Slot | undefined {
  if (typeof event?.delta !== 'string' || !String(event.type).endsWith('.delta')) return undefined;
  if (String(event.type).includes('audio')) return undefined;
  const group = String(event.item_id ?? '');
  return {
    key: `${group} ${event.type} ${event.content_index ?? event.summary_index ?? ''}`,
    group,
    text: event.delta,
    isAnswer: event.type === 'response.output_text.delta',
    set: (text) => {
      event.delta = text;
    },
    frame: (text) => named({ ...event, delta: text }),
  };
}
