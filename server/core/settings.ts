/**
 * One setting: its environment variable, what it means, and how its text becomes a value. The same table is read at
 * the start, validated, shown by `doctor` and printed into docs/settings.md.
 */
export interface Setting<T> {
  readonly name: string;
  readonly meaning: string;
  /** What a right value looks like, for the error and the docs: "a whole number from 0 to 65535". */
  readonly expected: string;
  /** The default as the docs show it. */
  readonly shown: string;
  readonly fallback: T;
  /** Never shown by any command. */
  readonly secret: boolean;
  /** Returns undefined when the text is not an acceptable value. */
  parse(text: string): T | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: a group mixes settings of every type; SettingsOf gives each its own back.
export type SettingGroup = Record<string, Setting<any>>;
export type SettingsOf<G extends SettingGroup> = {
  readonly [K in keyof G]: G[K] extends Setting<infer T> ? T : never;
};

/** Every wrong setting of a start, so that one restart fixes them all. */
export class SettingsError extends Error {
  constructor(lines: string[]) {
    super(lines.join('\n'));
    this.name = 'SettingsError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a group from the environment. An empty variable counts as absent, as container tools write it. */
export function readSettings<G extends SettingGroup>(group: G, environment: Environment): SettingsOf<G> {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [key, setting] of Object.entries(group)) {
    const text = environment[setting.name]?.trim();
    const value = text ? setting.parse(text) : setting.fallback;
    if (value === undefined && text) {
      const given = setting.secret ? 'its value' : `"${text}"`;
      wrong.push(`${setting.name}: ${given} is not ${setting.expected}.`);
    }
    values[key] = value;
  }
  if (wrong.length > 0) throw new SettingsError(wrong);
  return values as SettingsOf<G>;
}

interface Common {
  name: string;
  meaning: string;
}

export function integer(options: Common & { fallback: number; min: number; max: number }): Setting<number> {
  const { name, meaning, fallback, min, max } = options;
  return {
    ...{ name, meaning, fallback, secret: false, shown: String(fallback) },
    expected: `a whole number from ${min} to ${max}`,
    parse(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
      return value >= min && value <= max ? value : undefined;
    },
  };
}

export function flag(options: Common & { fallback: boolean }): Setting<boolean> {
  return {
    ...options,
    ...{ secret: false, shown: String(options.fallback), expected: 'true or false' },
    parse: (text) => ({ true: true, '1': true, yes: true, false: false, '0': false, no: false })[text],
  };
}

export function choice<const V extends string>(
  options: Common & { fallback: V; values: readonly V[] },
): Setting<V> {
  const { name, meaning, fallback, values } = options;
  return {
    ...{ name, meaning, fallback, secret: false, shown: fallback },
    expected: `one of ${values.join(', ')}`,
    parse: (text) => values.find((value) => value === text),
  };
}

/** Free text, undefined when absent. */
export function text(
  options: Common & { shown?: string; secret?: boolean; expected?: string; pattern?: RegExp },
): Setting<string | undefined> {
  const { name, meaning, shown = '', secret = false, expected = 'text', pattern } = options;
  return {
    ...{ name, meaning, shown, secret, expected, fallback: undefined },
    parse: (given) => (pattern && !pattern.test(given) ? undefined : given),
  };
}

/** An absolute URL of one of the given protocols ("http:"), undefined when absent. */
export function url(
  options: Common & { protocols: string[]; shown?: string; secret?: boolean },
): Setting<URL | undefined> {
  const { name, meaning, protocols, shown = '', secret = false } = options;
  return {
    ...{ name, meaning, shown, secret, fallback: undefined },
    expected: `an absolute address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    parse(given) {
      const parsed = URL.canParse(given) ? new URL(given) : undefined;
      return parsed && protocols.includes(parsed.protocol) ? parsed : undefined;
    },
  };
}

/** A list, separated by commas. */
export function list(
  options: Common & { fallback?: readonly string[]; accepts?: (item: string) => boolean; expected?: string },
): Setting<readonly string[]> {
  const { name, meaning, fallback = [], accepts, expected = 'a list separated by commas' } = options;
  return {
    ...{ name, meaning, fallback, expected, secret: false, shown: fallback.join(',') },
    parse(given) {
      const items = given.split(',').map((part) => part.trim());
      const kept = items.filter((part) => part !== '');
      return accepts && !kept.every(accepts) ? undefined : kept;
    },
  };
}

const secondsPerUnit = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** A length of time. The value is in seconds; the text may say 90, 90s, 15m, 12h or 30d. */
export function duration(
  options: Common & { fallback: string; minSeconds?: number; maxSeconds?: number },
): Setting<number> {
  const { name, meaning, fallback, minSeconds = 0, maxSeconds = 10 * 365 * 86_400 } = options;
  const parse = (given: string) => {
    const match = /^(\d{1,10})(s|m|h|d)?$/.exec(given);
    if (!match) return undefined;
    const seconds = Number(match[1]) * secondsPerUnit[(match[2] ?? 's') as keyof typeof secondsPerUnit];
    return seconds >= minSeconds && seconds <= maxSeconds ? seconds : undefined;
  };
  return {
    ...{ name, meaning, secret: false, shown: fallback, fallback: parse(fallback) ?? 0, parse },
    expected: `a length of time such as 90s, 15m, 12h or 30d, from ${minSeconds} to ${maxSeconds} seconds`,
  };
}

const bytesPerUnit = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 } as const;

/** A size. The value is in bytes; the text may say 512, 512B, 64KiB, 10MiB or 2GiB. */
export function size(
  options: Common & { fallback: string; minBytes?: number; maxBytes?: number },
): Setting<number> {
  const { name, meaning, fallback, minBytes = 0, maxBytes = 2 ** 50 } = options;
  const parse = (given: string) => {
    const match = /^(\d{1,15})(B|KiB|MiB|GiB|TiB)?$/.exec(given);
    if (!match) return undefined;
    const bytes = Number(match[1]) * bytesPerUnit[(match[2] ?? 'B') as keyof typeof bytesPerUnit];
    return bytes >= minBytes && bytes <= maxBytes ? bytes : undefined;
  };
  return {
    ...{ name, meaning, secret: false, shown: fallback, fallback: parse(fallback) ?? 0, parse },
    expected: `a size such as 512B, 64KiB, 10MiB or 2GiB, from ${minBytes} to ${maxBytes} bytes`,
  };
}
