import { remembered } from '#core/logs/remembered.ts';
import type { RequestOptions } from '#core/logs/request-options.ts';
import { cut, isSecretName, maskAddress, redacted, truncateAddress } from '#core/logs/sanitise.ts';

const maxHeaders = 64;
const maxHeaderName = 128;
const maxHeaderValue = 2048;
/** Names of headers whose values are remembered; beyond, all are forgotten. */
const maxNames = 64;

const addressHeaders = new Set([
  'x-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'x-cluster-client-ip',
]);

type Headers = Readonly<Record<string, number | string | string[] | undefined>>;

interface SanitisedHeaders {
  /** An object, as JSON. */
  json: string;
  /** Whether something was left out for its size. */
  isCut: boolean;
}

interface KnownHeader {
  /** Its name, as JSON, and a colon. */
  start: string;
  /** A value without its secrets, as JSON. */
  value: (text: string) => string;
}

/** Headers as they may be stored. */
export function headerSanitiser(
  addresses: RequestOptions['addresses'],
): (headers: Headers) => SanitisedHeaders {
  const known = new Map<string, KnownHeader>();
  const knownHeader = (name: string): KnownHeader => {
    const found = known.get(name);
    if (found) return found;
    const made: KnownHeader = {
      start: `${JSON.stringify(cut(name, maxHeaderName))}:`,
      value: valueSanitiser(name.toLowerCase(), addresses),
    };
    if (name.length > maxHeaderName) return made;
    if (known.size >= maxNames) known.clear();
    known.set(name, made);
    return made;
  };
  return (headers) => {
    let json = '';
    let isCut = false;
    let count = 0;
    for (const name of Object.keys(headers)) {
      const value = headers[name];
      if (value === undefined) continue;
      if (++count > maxHeaders) {
        isCut = true;
        break;
      }
      const text = Array.isArray(value) ? value.join(', ') : String(value);
      if (text.length > maxHeaderValue) isCut = true;
      const header = knownHeader(name);
      json += (json === '' ? '' : ',') + header.start + header.value(text);
    }
    return { json: `{${json}}`, isCut };
  };
}

function valueSanitiser(name: string, addresses: RequestOptions['addresses']): (text: string) => string {
  const asJson = (text: string) => JSON.stringify(cut(text, maxHeaderValue));
  if (isSecretName(name) || (name === 'forwarded' && addresses !== 'full')) return () => asJson(redacted);
  if (!addressHeaders.has(name)) return remembered((text) => asJson(maskAddress(text)));
  return (text) => {
    const parts = cut(text, maxHeaderValue).split(',');
    return asJson(parts.map((part) => truncateAddress(part.trim(), addresses) ?? redacted).join(', '));
  };
}
