import { JsonBody } from '../json/body.ts';
import { rewriteStrings } from '../json/strings.ts';
import { MultipartBody } from '../media/multipart.ts';
import type { Surface } from '../protocols/protocol.ts';
import { type Call, inputBoundOf } from '../relay/call.ts';
import type { Rules } from '../rules/rules.ts';
import { StreamGuard, wordsOf } from './stream.ts';
import { TextRules } from './texts.ts';
import type { WebhookQuestion, Webhooks } from './webhook.ts';

/** Fields of forms that hold words. */
const formFields = ['prompt', 'input', 'instructions'];

/** What the policies of one request say about its words and those of its answer. */
export class Guard {
  readonly #requests: TextRules;
  readonly #responses: TextRules;
  readonly #hooks: readonly { url: string; level: string }[];
  readonly #webhooks: Webhooks;

  constructor({ levels }: Rules, webhooks: Webhooks) {
    this.#requests = new TextRules(levels, 'request');
    this.#responses = new TextRules(levels, 'response');
    this.#hooks = levels.flatMap(({ name, body }) =>
      body.webhookUrl ? [{ url: body.webhookUrl, level: name }] : [],
    );
    this.#webhooks = webhooks;
  }

  /** Whether a stream is held until a webhook has seen all of it. */
  get asksWebhooks(): boolean {
    return this.#hooks.length > 0;
  }

  /** Redacts the request, and asks the webhooks. Throws a refusal. */
  async request(call: Call, signal: AbortSignal): Promise<void> {
    if (!this.#requests.isEmpty) this.#redact(call);
    await this.#ask(call, { stage: 'request', response: null, text: null }, signal);
  }

  #redact(call: Call): void {
    const { form, body } = call;
    if (form) {
      const edits = new Map<string, string>();
      for (const name of formFields) {
        const text = form.body.text(name);
        const changed = text === undefined ? undefined : this.#requests.apply(text);
        if (changed !== undefined && changed !== text) edits.set(name, changed);
      }
      if (edits.size === 0) return;
      const bytes = Buffer.concat(form.body.spliced(edits));
      call.form = { ...form, body: new MultipartBody(bytes, form.contentType) };
      return;
    }
    const text = body.bytes.toString('utf8');
    const rewritten = rewriteStrings(text, (value) => this.#requests.apply(value));
    if (rewritten === undefined) return;
    call.body = new JsonBody(Buffer.from(rewritten));
    call.inputBound = inputBoundOf(call.body, call.model);
  }

  /** A whole answer. Throws a refusal. */
  async answer(call: Call, pieces: readonly Buffer[], signal: AbortSignal): Promise<readonly Buffer[]> {
    if (this.#responses.isEmpty && this.#hooks.length === 0) return pieces;
    const text = Buffer.concat(pieces).toString('utf8');
    const isJson = text.startsWith('{');
    const change = (value: string) => this.#responses.apply(value);
    const redacted = isJson ? (rewriteStrings(text, change) ?? text) : change(text);
    const response: unknown = isJson && this.#hooks.length > 0 ? JSON.parse(redacted) : null;
    await this.#ask(call, { stage: 'response', response, text: isJson ? null : redacted }, signal);
    return redacted === text ? pieces : [Buffer.from(redacted)];
  }

  /** For the frames of a stream; undefined: they pass as they are. */
  stream(surface: Surface): StreamGuard | undefined {
    return this.#responses.isEmpty ? undefined : new StreamGuard(this.#responses, surface);
  }

  /** Shows a whole stream to the webhooks. Throws a refusal. */
  async approve(call: Call, stream: string, signal: AbortSignal): Promise<void> {
    const text = wordsOf(call.kind as Surface, stream);
    await this.#ask(call, { stage: 'response', response: null, text }, signal);
  }

  async #ask(
    call: Call,
    about: Pick<WebhookQuestion, 'stage' | 'response' | 'text'>,
    signal: AbortSignal,
  ): Promise<void> {
    const { caller, form, body } = call;
    for (const hook of this.#hooks)
      await this.#webhooks.ask(
        hook,
        {
          ...about,
          requestId: call.requestId,
          organizationId: caller.organizationId,
          applicationId: caller.applicationId,
          apiKeyId: caller.apiKeyId,
          endUserId: caller.endUserId,
          path: call.path,
          model: call.model,
          request: form ? null : body.parsed(),
        },
        signal,
      );
  }
}

/** Undefined: no policy looks at words. */
export function guardOf(rules: Rules, webhooks: Webhooks): Guard | undefined {
  const isWanted = rules.levels.some(({ body }) => body.webhookUrl || (body.guardrails?.length ?? 0) > 0);
  return isWanted ? new Guard(rules, webhooks) : undefined;
}
