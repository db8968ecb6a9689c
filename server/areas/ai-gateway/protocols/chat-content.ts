import type { Json } from '../json/body.ts';
import { joinedDetails, partsOf } from './hub.ts';

/**
 * Mistral's reasoning models write their content as a list of parts, thoughts among them. Clients of chat completions
 * read text, and thoughts in a field of their own.
 */

/** Rewrites the content of a message or of a delta where it is a list; whether it was. */
export function withPlainContent(message: Json): boolean {
  if (!Array.isArray(message?.content)) return false;
  const parts = message.content as Json[];
  const text = textIn(parts);
  const thought = parts.map((part) => (part?.type === 'thinking' ? thoughtIn(part.thinking) : '')).join('');
  const calls = Array.isArray(message.tool_calls) && message.tool_calls.length > 0;
  message.content = text === '' && (thought !== '' || calls) ? null : text;
  if (thought !== '') message.reasoning_content = `${message.reasoning_content ?? ''}${thought}`;
  return true;
}

function textIn(parts: readonly Json[]): string {
  return parts
    .map((part) => (part?.type === 'text' && typeof part.text === 'string' ? part.text : ''))
    .join('');
}

const thoughtIn = (thinking: Json): string =>
  typeof thinking === 'string' ? thinking : Array.isArray(thinking) ? textIn(thinking) : '';

/** Fields of thoughts in an earlier turn. Mistral refuses fields that it does not know. */
const thoughtFields = ['reasoning_content', 'reasoning_details', 'reasoning'] as const;

export function haveThoughts(messages: Json): boolean {
  return (
    Array.isArray(messages) &&
    messages.some((message) => thoughtFields.some((name) => message?.[name] !== undefined))
  );
}

/** Earlier turns with their thoughts as such parts. */
export function withThoughtParts(messages: readonly Json[]): Json[] {
  return messages.map((message) => {
    const { reasoning_content, reasoning_details, reasoning, ...rest } = message;
    const details = Array.isArray(reasoning_details) ? joinedDetails(reasoning_details) : [];
    const inDetails = details.map((detail) => (detail.type === 'reasoning.text' ? (detail.text ?? '') : ''));
    const thought = [reasoning_content, reasoning, inDetails.join('')].find(
      (text) => typeof text === 'string' && text !== '',
    );
    if (rest.role !== 'assistant' || thought === undefined) return rest;
    const part = { type: 'thinking', thinking: [{ type: 'text', text: thought }] };
    return { ...rest, content: [part, ...partsOf(rest.content)] };
  });
}
