import { Problem } from '#core/problem.ts';
import type { Guardrail } from './schema.ts';

/** A guardrail ready to be looked for. */
export interface CompiledGuardrail {
  rule: Guardrail;
  expression: RegExp;
  /** Whether what the expression found is what is meant. */
  confirms(text: string): boolean;
}

const always = () => true;

/** Bounded runs without nesting: each is linear in the text. */
const builtIn: Record<
  Exclude<Guardrail['type'], 'pattern'>,
  { source: string; confirms(text: string): boolean }
> = {
  card: { source: '\\b\\d(?:[ -]?\\d){12,18}\\b', confirms: passesLuhn },
  api_key: {
    source:
      '\\b(?:sk|pk|rk|mst|ghp|gho|ghs|ghu|xoxb|xoxp|glpat|AKIA|ASIA|AIza|hf|gsk|r8|key)[-_]?[A-Za-z0-9_-]{16,200}\\b',
    confirms: (text) => /\d/.test(text),
  },
  email: {
    source: '[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63}){1,8}',
    confirms: always,
  },
};

/** https://www.iso.org/standard/70484.html, annex B. */
function passesLuhn(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  let sum = 0;
  for (const [at, character] of [...digits].reverse().entries()) {
    const digit = Number(character);
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length >= 13 && sum % 10 === 0;
}

/** Throws `Problem('invalid_request')` that names a guardrail that cannot be used. */
export function compileGuardrails(rules: readonly Guardrail[]): CompiledGuardrail[] {
  return rules.map((rule, at) => {
    if (rule.type !== 'pattern') {
      if (rule.pattern !== undefined)
        throw new Problem(
          'invalid_request',
          `The field "guardrails.${at}.pattern" is for the type "pattern" alone.`,
        );
      const { source, confirms } = builtIn[rule.type];
      return { rule, expression: new RegExp(source, 'g'), confirms };
    }
    if (rule.pattern === undefined)
      throw new Problem('invalid_request', `The field "guardrails.${at}.pattern" is missing.`);
    return { rule, expression: linearExpression(rule.pattern, at), confirms: always };
  });
}

/**
 * An expression that cannot take more than linear time: no back-references and look-around, no repetition inside of a
 * repetition, at most one unbounded repetition (two of them make the time quadratic), and bounds of at most 1000.
 */
function linearExpression(pattern: string, at: number): RegExp {
  const refuse = (why: string) =>
    new Problem('invalid_request', `The field "guardrails.${at}.pattern" ${why}.`);
  if (/\\[1-9k]|\(\?(?:[=!]|<[=!])/.test(pattern))
    throw refuse('must hold no back-references and no look-around');
  const depth: { repeats: boolean }[] = [{ repeats: false }];
  let unbounded = 0;
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i];
    if (character === '\\') i++;
    else if (character === '[') {
      // Inside a class nothing repeats.
      for (i++; i < pattern.length && pattern[i] !== ']'; i++) if (pattern[i] === '\\') i++;
    } else if (character === '(') depth.push({ repeats: false });
    else if (character === ')') {
      const inner = depth.pop();
      const outer = depth.at(-1);
      if (!inner || !outer) throw refuse('has a parenthesis too many');
      const repeat = /^(?:[*+]|\{\d*,?\d*\})/.exec(pattern.slice(i + 1));
      if (repeat && inner.repeats) throw refuse('must hold no repetition inside of a repetition');
      outer.repeats ||= inner.repeats || repeat !== null;
    } else {
      const repeat = /^(?:([*+])|\{(\d{0,6})(,?)(\d{0,6})\})/.exec(pattern.slice(i));
      if (!repeat) continue;
      const [text, open, , comma, most] = repeat;
      if (open || (comma && most === '')) unbounded++;
      if (Number(most || 0) > 1000) throw refuse('must hold no repetition of more than 1000 times');
      const top = depth.at(-1);
      if (top) top.repeats = true;
      i += text.length - 1;
    }
  }
  if (unbounded > 1)
    throw refuse('must hold at most one repetition without an upper bound; write {0,100} for the others');
  try {
    return new RegExp(pattern, 'gu');
  } catch (cause) {
    throw new Problem(
      'invalid_request',
      `The field "guardrails.${at}.pattern" is not a regular expression.`,
      { cause },
    );
  }
}
