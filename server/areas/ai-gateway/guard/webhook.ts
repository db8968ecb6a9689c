import { ForbiddenAddress, type Outgoing } from '#core/outgoing.ts';
import { askOutside, type OutsideAnswer } from '../outside.ts';
import { type GatewayProblem, refusal } from '../problem.ts';

/** What a webhook of a policy is told. */
export interface WebhookQuestion {
  stage: 'request' | 'response';
  requestId: string;
  organizationId: string;
  applicationId: string | null;
  apiKeyId: string | null;
  endUserId: string | null;
  path: string;
  model: string;
  /** The request as it would be sent on; null: a form. */
  request: unknown;
  /** The answer; null before there is one, and of streams. */
  response: unknown;
  /** The words of the answer; null before there is one. */
  text: string | null;
}

const maxAnswerBytes = 64 * 1024;

/** Asks webhooks of policies. What a webhook has not allowed in time is not sent on. */
export class Webhooks {
  readonly #outgoing: Outgoing;
  readonly #milliseconds: number;

  constructor(options: { outgoing: Outgoing; milliseconds: number }) {
    this.#outgoing = options.outgoing;
    this.#milliseconds = options.milliseconds;
  }

  /** Throws the refusal. */
  async ask(
    { url, level }: { url: string; level: string },
    question: WebhookQuestion,
    signal: AbortSignal,
  ): Promise<void> {
    let said: OutsideAnswer;
    const late = AbortSignal.timeout(this.#milliseconds);
    try {
      said = await askOutside(this.#outgoing, new URL(url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(question),
        maxBytes: maxAnswerBytes,
        signal: AbortSignal.any([signal, late]),
      });
    } catch (cause) {
      if (cause instanceof ForbiddenAddress)
        throw failed(level, 'has an address that is not public, which the operator has not allowed', cause);
      if (late.aborted) throw failed(level, `did not answer within ${this.#milliseconds} ms`, cause);
      throw failed(level, 'could not be reached', cause);
    }
    if (said.status < 200 || said.status >= 300) throw failed(level, `answered ${said.status}`, undefined);
    const verdict = verdictOf(said.text);
    if (verdict === undefined)
      throw failed(level, 'answered something else than {"action": "allow" | "refuse"}', undefined);
    if (verdict.action === 'refuse')
      throw refusal(
        'policy_denied',
        `The webhook of the policy of the ${level} refuses this ${question.stage}${verdict.reason === '' ? '' : `: ${verdict.reason}`} (webhookUrl). An admin of the organization can change it.`,
      );
  }
}

function verdictOf(text: string): { action: 'allow' | 'refuse'; reason: string } | undefined {
  if (text.trim() === '') return { action: 'allow', reason: '' };
  try {
    const { action, reason } = JSON.parse(text) as Record<string, unknown>;
    if (action !== 'allow' && action !== 'refuse') return undefined;
    return { action, reason: typeof reason === 'string' ? reason.slice(0, 500) : '' };
  } catch {
    return undefined;
  }
}

function failed(level: string, what: string, cause: unknown): GatewayProblem {
  return refusal(
    'policy_denied',
    `The webhook of the policy of the ${level} ${what}, and what it has not allowed is not sent on (webhookUrl). An admin of the organization can change it.`,
    cause === undefined ? {} : { cause },
  );
}
