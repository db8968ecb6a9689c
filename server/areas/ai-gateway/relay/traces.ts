import { type Context, context, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Usage } from '../catalogue/usage.ts';
import type { UsageEvent } from '../ledger/event.ts';
import type { Call, Kind } from './call.ts';
import type { Candidate } from './candidates.ts';

/** Spans by OpenTelemetry's semantic conventions for generative AI: one a request, and one an attempt below it. */
export interface RequestTrace {
  attempt(candidate: Candidate): AttemptTrace;
  end(event: UsageEvent): void;
}

interface AttemptTrace {
  end(result: {
    usage: Usage | null;
    finishReason: string | null;
    firstTokenMs: number | null;
    error: { tag: string; message: string } | null;
  }): void;
}

const operations: Partial<Record<Kind, string>> = { embeddings: 'embeddings' };

/** Undefined: nobody traces this request. `withContent`: the messages are written into the span, too. */
export function traceRequest(call: Call, withContent: boolean): RequestTrace | undefined {
  if (!trace.getActiveSpan()?.isRecording()) return undefined;
  const tracer = trace.getTracer('mainstay');
  const operation = operations[call.kind] ?? (isChat(call.kind) ? 'chat' : call.kind);
  const common = { 'gen_ai.operation.name': operation, 'gen_ai.request.model': call.model };
  const span = tracer.startSpan(`${operation} ${call.model}`, {
    kind: SpanKind.INTERNAL,
    attributes: {
      ...common,
      'mainstay.request_id': call.requestId,
      'mainstay.organization_id': call.caller.organizationId,
      ...(call.maxOutput === null ? {} : { 'gen_ai.request.max_tokens': call.maxOutput }),
      ...(call.choices > 1 ? { 'gen_ai.request.choice.count': call.choices } : {}),
      ...(withContent ? contentOf(call) : {}),
    },
  });
  const below: Context = trace.setSpan(context.active(), span);
  return {
    attempt(candidate) {
      const { provider, upstream } = candidate;
      const one = tracer.startSpan(
        `${operation} ${upstream}`,
        {
          kind: SpanKind.CLIENT,
          attributes: {
            ...common,
            'gen_ai.request.model': upstream,
            'gen_ai.provider.name': providerName(candidate),
            'mainstay.provider': provider.slug,
            ...(provider.address
              ? { 'server.address': provider.address.hostname, 'server.port': portOf(provider.address) }
              : {}),
          },
        },
        below,
      );
      return {
        end({ usage, finishReason, firstTokenMs, error }) {
          if (usage) setUsage(one, usage);
          if (finishReason) one.setAttribute('gen_ai.response.finish_reasons', [finishReason]);
          if (firstTokenMs !== null)
            one.setAttribute('gen_ai.response.time_to_first_chunk', firstTokenMs / 1000);
          if (error) {
            one.setAttribute('error.type', error.tag);
            one.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
          } else one.setAttribute('gen_ai.response.model', candidate.model);
          one.end();
        },
      };
    },
    end(event) {
      const { modelServed, provider, inputTokens, outputTokens, errorCode } = event;
      if (modelServed) span.setAttribute('gen_ai.response.model', modelServed);
      if (provider) span.setAttribute('gen_ai.provider.name', provider);
      span.setAttributes({
        'gen_ai.usage.input_tokens': inputTokens,
        'gen_ai.usage.output_tokens': outputTokens,
        'gen_ai.usage.cache_read.input_tokens': event.cachedInputTokens,
        'gen_ai.usage.cache_creation.input_tokens': event.cacheWriteTokens,
        'mainstay.cost_nanos': event.billableNanos,
        'mainstay.cache_hit': event.cacheHit,
      });
      if (event.firstTokenMs !== null)
        span.setAttribute('gen_ai.response.time_to_first_chunk', event.firstTokenMs / 1000);
      if (event.status === 'error') {
        span.setAttribute('error.type', errorCode ?? 'error');
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

function isChat(kind: Kind): boolean {
  return kind === 'chat' || kind === 'responses' || kind === 'messages';
}

/** As the conventions spell the well-known ones; others go by their slug. */
function providerName({ provider: { type, slug } }: Candidate): string {
  const known: Record<string, string> = {
    ...{ openai: 'openai', azure: 'azure.ai.openai', anthropic: 'anthropic', gemini: 'gcp.gemini' },
  };
  const bySlug: Record<string, string> = { mistral: 'mistral_ai', xai: 'x_ai' };
  return known[type] ?? bySlug[slug] ?? slug;
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

function setUsage(span: Span, usage: Usage): void {
  span.setAttributes({
    'gen_ai.usage.input_tokens': usage.input,
    'gen_ai.usage.output_tokens': usage.output,
    'gen_ai.usage.cache_read.input_tokens': usage.cacheRead,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWrite + usage.cacheWriteLong,
  });
}

const maxContent = 64 * 1024;

function contentOf({ body, kind }: Call): Record<string, string> {
  const turns = body.get(kind === 'responses' || kind === 'embeddings' ? 'input' : 'messages');
  const system = body.get('system') ?? body.get('instructions');
  return {
    ...(turns === undefined ? {} : { 'gen_ai.input.messages': JSON.stringify(turns).slice(0, maxContent) }),
    ...(system ? { 'gen_ai.system_instructions': JSON.stringify(system).slice(0, maxContent) } : {}),
  };
}
