import { S3Error } from '../errors.ts';

/** The conditions of a form's policy. */

function invalid(sentence: string): S3Error {
  return new S3Error('InvalidPolicyDocument', `Invalid Policy: ${sentence}`);
}

function unmet(sentence: string): S3Error {
  return new S3Error('AccessDenied', `Invalid according to Policy: ${sentence}`);
}

/** Fields that a policy need not name, as it need not name checksums: they allow nothing. */
const free = new Set(['policy', 'x-amz-signature', 'signature', 'awsaccesskeyid', 'file', 'bucket']);

export function checkPolicy(
  encoded: string,
  { fields, key, bucket, now }: { fields: Map<string, string>; key: string; bucket: string; now: number },
): [number, number] | undefined {
  let document: unknown;
  try {
    document = JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
  } catch {
    throw invalid('Invalid JSON.');
  }
  const { expiration, conditions } = (document ?? {}) as { expiration?: unknown; conditions?: unknown };
  const end =
    typeof expiration === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(expiration)
      ? Date.parse(expiration)
      : Number.NaN;
  if (Number.isNaN(end)) throw invalid('expiration must be a date in ISO 8601.');
  if (end <= now) throw unmet('Policy expired.');
  if (!Array.isArray(conditions)) throw invalid('there must be a list of conditions.');
  const named = new Set<string>();
  let range: [number, number] | undefined;
  const valueFor = (name: string) => (name === 'bucket' ? bucket : name === 'key' ? key : fields.get(name));
  for (const condition of conditions as unknown[]) {
    if (!Array.isArray(condition)) {
      if (typeof condition !== 'object' || condition === null)
        throw invalid('a condition must be a list or an object.');
      const entries = Object.entries(condition);
      if (entries.length === 0) throw invalid('a condition must not be empty.');
      for (const [name, wanted] of entries) {
        named.add(name.toLowerCase());
        if (valueFor(name.toLowerCase()) !== wanted)
          throw unmet(`Policy Condition failed: ["eq", "$${name}", ${JSON.stringify(wanted)}]`);
      }
      continue;
    }
    const [operator, first, second] = condition as unknown[];
    const kind = String(operator).toLowerCase();
    if (kind === 'content-length-range') {
      if (condition.length !== 3 || !isLength(first) || !isLength(second))
        throw invalid('content-length-range takes two numbers.');
      range = [Number(first), Number(second)];
      continue;
    }
    if (
      condition.length !== 3 ||
      typeof first !== 'string' ||
      !first.startsWith('$') ||
      typeof second !== 'string'
    )
      throw invalid('a condition is not well-formed.');
    const name = first.slice(1).toLowerCase();
    named.add(name);
    const value = valueFor(name) ?? '';
    if (kind === 'starts-with' ? !value.startsWith(second) : kind !== 'eq' || value !== second)
      throw unmet(`Policy Condition failed: ${JSON.stringify(condition).slice(0, 200)}`);
  }
  for (const name of fields.keys()) {
    if (!named.has(name) && !free.has(name) && !/^x-(ignore|amz-checksum)-/.test(name))
      throw unmet(`Extra input fields: ${name.slice(0, 100)}`);
  }
  return range;
}

function isLength(value: unknown): boolean {
  return Number.isInteger(Number(value)) && Number(value) >= 0 && value !== null && value !== '';
}
