import { noUsage, type Usage } from '../catalogue/usage.ts';
import { badRequest } from '../json/scan.ts';
import { type Call, estimatedTokens } from '../relay/call.ts';
import type { Candidate } from '../relay/candidates.ts';
import {
  type Exchange,
  failureOf,
  jsonHeaders,
  parseForeign,
  type Reading,
  StreamFailure,
} from './protocol.ts';

/** OpenAI's embeddings from Gemini's batchEmbedContents. https://ai.google.dev/api/embeddings */
export function geminiEmbeddings({ body }: Call, { upstream, model }: Candidate): Exchange {
  const input: unknown = body.get('input');
  const texts = typeof input === 'string' ? [input] : input;
  if (!Array.isArray(texts) || texts.length === 0 || texts.some((text) => typeof text !== 'string'))
    throw badRequest(
      'The field "input" must be a text or a list of texts: this model takes no tokens.',
      'input',
    );
  const format = body.text('encoding_format') ?? 'float';
  if (format !== 'float' && format !== 'base64')
    throw badRequest('The field "encoding_format" must be "float" or "base64".', 'encoding_format');
  const dimensions = body.whole('dimensions', 1, 100_000);
  const name = `models/${upstream}`;
  const requests = texts.map((text: string) => ({
    model: name,
    content: { parts: [{ text }] },
    ...(dimensions === undefined ? {} : { outputDimensionality: dimensions }),
  }));
  const characters = texts.reduce((sum: number, text: string) => sum + text.length, 0);
  return {
    path: `/${name.split('/').map(encodeURIComponent).join('/')}:batchEmbedContents`,
    headers: jsonHeaders,
    body: [Buffer.from(JSON.stringify({ requests }))],
    answer(bytes, reading) {
      const answer = parseForeign(bytes.toString('utf8'));
      if (answer?.error) throw failureOf(answer.error);
      if (!Array.isArray(answer?.embeddings) || answer.embeddings.length !== texts.length)
        throw new StreamFailure('The provider sent no embeddings.', { code: 'malformed_answer' });
      const data = answer.embeddings.map(({ values }: { values: number[] }, index: number) => ({
        object: 'embedding',
        index,
        embedding: format === 'base64' ? toBase64(values) : values,
      }));
      return written(data, model, countedTokens(answer.usageMetadata, characters), reading);
    },
    stream() {
      throw new StreamFailure('This endpoint does not stream.', { retryable: false });
    },
  };
}

/** Gemini has not always said what it counted; then it is guessed, and says so. */
function countedTokens(metadata: unknown, characters: number): { tokens: number; isCounted: boolean } {
  const { promptTokenCount } = (metadata ?? {}) as { promptTokenCount?: unknown };
  return typeof promptTokenCount === 'number'
    ? { tokens: promptTokenCount, isCounted: true }
    : { tokens: estimatedTokens(characters), isCounted: false };
}

function written(
  data: unknown[],
  model: string,
  { tokens, isCounted }: { tokens: number; isCounted: boolean },
  { costOf }: Reading,
) {
  const usage: Usage = { ...noUsage, input: tokens };
  const cost = costOf(usage);
  const body = {
    ...{ object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } },
    ...(cost === null ? {} : { cost_micros: cost }),
  };
  return {
    body: [Buffer.from(JSON.stringify(body))],
    usage: isCounted ? usage : null,
    characters: 0,
    finishReason: null,
    objectId: null,
  };
}

/** Four bytes a number, the lowest first, as OpenAI's clients ask for them. */
function toBase64(values: readonly number[]): string {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeFloatLE(value, at * 4);
  return bytes.toString('base64');
}
