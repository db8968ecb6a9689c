import { type GatewayProblem, refusal } from '../problem.ts';
import type { Guardrail, PolicyBody } from '../rules/schema.ts';
import { type Finder, finderOf, type Range } from './finders.ts';

interface Rule {
  type: Guardrail['type'];
  refuses: boolean;
  finder: Finder;
  /** Of which policy it is, for refusals. */
  level: string;
}

const compiled = new WeakMap<object, readonly { on: Guardrail['on']; rule: Omit<Rule, 'level'> }[]>();

/** What the policies say about the words of a request, or of an answer. */
export class TextRules {
  readonly #rules: readonly Rule[];
  readonly #side: 'request' | 'response';

  constructor(
    levels: readonly { name: string; body: Pick<PolicyBody, 'guardrails'> }[],
    side: 'request' | 'response',
  ) {
    this.#side = side;
    this.#rules = levels.flatMap(({ name, body }) =>
      rulesOf(body)
        .filter(({ on }) => on === 'both' || on === side)
        .map(({ rule }) => ({ ...rule, level: name })),
    );
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** The text with what a rule redacts replaced. Throws the refusal of a rule that refuses. */
  apply(text: string): string {
    const found = this.#find(text);
    let result = '';
    let done = 0;
    for (const { start, end, label } of found) {
      result += text.slice(done, start) + label;
      done = end;
    }
    return done === 0 ? text : result + text.slice(done);
  }

  /**
   * How much of a text that continues can be decided: what comes behind that may be the beginning of something. At least
   * `least` of it, so that what is held back stays bounded.
   */
  decided(text: string, least: number): number {
    let safe = text.length;
    for (const { finder } of this.#rules) safe = Math.min(safe, finder.openFrom(text));
    safe = Math.max(safe, least);
    for (const { start, end } of this.#find(text))
      if (start < safe && end > safe) safe = Math.max(start, least);
    return safe;
  }

  #find(text: string): (Range & { label: string })[] {
    const all = this.#rules.flatMap(({ finder, refuses, level, type }) =>
      finder.find(text).map((range) => {
        if (refuses) throw guardrailRefusal(this.#side, level, type);
        return { ...range, label: finder.label };
      }),
    );
    all.sort((a, b) => a.start - b.start || b.end - a.end);
    const apart: (Range & { label: string })[] = [];
    for (const range of all) {
      const last = apart.at(-1);
      if (last && range.start < last.end) last.end = Math.max(last.end, range.end);
      else apart.push({ ...range });
    }
    return apart;
  }
}

function rulesOf(body: Pick<PolicyBody, 'guardrails'>) {
  let rules = compiled.get(body);
  if (!rules) {
    rules = (body.guardrails ?? []).map((guardrail) => ({
      on: guardrail.on,
      rule: {
        type: guardrail.type,
        refuses: guardrail.action === 'refuse',
        finder: finderOf(guardrail),
      },
    }));
    compiled.set(body, rules);
  }
  return rules;
}

const found: Record<Guardrail['type'], string> = {
  card: 'the number of a payment card',
  email: 'an e-mail address',
  api_key: 'an API key or another secret',
  pattern: 'something that its pattern matches',
};

/** What was found is not repeated: the answer may be logged where it must not be. */
function guardrailRefusal(side: string, level: string, type: Guardrail['type']): GatewayProblem {
  return refusal(
    'policy_denied',
    `The policy of the ${level} refuses this ${side} because it holds ${found[type]} (guardrails, type "${type}"). An admin of the organization can change it.`,
  );
}
