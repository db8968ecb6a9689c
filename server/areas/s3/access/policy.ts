import { AddressBlocks, isAddressBlock } from '#core/addresses.ts';
import { S3Error } from '../errors.ts';

/** Bucket policies: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html */

export interface Statement {
  effect: 'Allow' | 'Deny';
  /** `*` or ids of applications; undefined: it says who is not meant. */
  principals: readonly string[];
  notPrincipals: boolean;
  actions: readonly string[];
  notActions: boolean;
  resources: readonly string[];
  notResources: boolean;
  conditions: readonly Condition[];
}

interface Condition {
  operator: string;
  ifExists: boolean;
  /** `ForAllValues`: every value of the request has to fit. */
  forAll: boolean;
  key: string;
  values: readonly string[];
}

/** What is asked. */
export interface Question {
  action: string;
  resource: string;
  /** Application; undefined: nobody signed. */
  who: string | undefined;
  /** Values of a condition key of the request; undefined: it has none. */
  valuesOf(key: string): readonly string[] | undefined;
}

const maxBytes = 20 * 1024;
const maxStatements = 100;

function malformed(sentence: string): S3Error {
  return new S3Error('MalformedPolicy', sentence);
}

/** The statements of a policy that may be that of this bucket. */
export function parsePolicy(text: string, bucket: string): Statement[] {
  if (Buffer.byteLength(text) > maxBytes) throw malformed('The policy is larger than 20 KiB.');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw malformed('This policy contains invalid Json');
  }
  if (!isRecord(document)) throw malformed("Policies must be valid JSON and the first byte must be '{'");
  const list = [document['Statement'] ?? []].flat();
  if (list.length === 0) throw malformed('Missing required field Statement');
  if (list.length > maxStatements) throw malformed(`A policy has at most ${maxStatements} statements.`);
  return list.map((statement) => parseStatement(statement, bucket));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const known = new Set([
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
]);

function parseStatement(statement: unknown, bucket: string): Statement {
  if (!isRecord(statement)) throw malformed('Statement must be an object');
  const odd = Object.keys(statement).find((name) => !known.has(name));
  if (odd !== undefined) throw malformed(`Unknown field ${odd.slice(0, 64)}`);
  const effect = statement['Effect'];
  if (effect !== 'Allow' && effect !== 'Deny') throw malformed('Invalid effect');
  const notPrincipals = statement['NotPrincipal'] !== undefined;
  if (notPrincipals && effect === 'Allow') throw malformed('Allow with NotPrincipal is not allowed.');
  const notActions = statement['NotAction'] !== undefined;
  const notResources = statement['NotResource'] !== undefined;
  const actions = texts(statement[notActions ? 'NotAction' : 'Action'], 'action');
  if (!actions.every((action) => action === '*' || /^s3:[\w*?]+$/i.test(action)))
    throw malformed('Policy has invalid action');
  const resources = texts(statement[notResources ? 'NotResource' : 'Resource'], 'resource');
  for (const resource of resources) {
    const [, name] = /^arn:aws:s3:::([^/]+)(?:\/.*)?$/s.exec(resource) ?? (resource === '*' ? ['', '*'] : []);
    if (name === undefined || !matches(name, bucket)) throw malformed('Policy has invalid resource');
  }
  return {
    effect,
    principals: parsePrincipals(statement[notPrincipals ? 'NotPrincipal' : 'Principal']),
    ...{ notPrincipals, actions, notActions, resources, notResources },
    conditions: parseConditions(statement['Condition']),
  };
}

function texts(value: unknown, field: string): string[] {
  const list = [value ?? []].flat();
  const isRight = list.length > 0 && list.every((one) => typeof one === 'string' && one.length <= 2048);
  if (!isRight) throw malformed(`Missing required field or invalid ${field}`);
  return list as string[];
}

function parsePrincipals(value: unknown): string[] {
  if (value === '*') return ['*'];
  if (!isRecord(value)) throw malformed('Invalid principal in policy');
  return Object.entries(value).flatMap(([kind, names]) => {
    if (!['AWS', 'CanonicalUser', 'Service', 'Federated'].includes(kind))
      throw malformed('Invalid principal in policy');
    return texts(names, 'principal').map((name) => {
      // Services and identity providers of others are nobody here.
      if (kind === 'Service' || kind === 'Federated') return `${kind}:${name}`;
      const [, account] = /^arn:aws:iam::([^:]+):(?:root|user\/.+)$/.exec(name) ?? [];
      return account ?? name;
    });
  });
}

const operators = new Map<string, (wanted: string, value: string) => boolean>([
  ['StringEquals', (wanted, value) => wanted === value],
  ['StringEqualsIgnoreCase', (wanted, value) => wanted.toLowerCase() === value.toLowerCase()],
  ['StringLike', (wanted, value) => matches(wanted, value)],
  ['ArnEquals', (wanted, value) => matches(wanted, value)],
  ['ArnLike', (wanted, value) => matches(wanted, value)],
  ['NumericEquals', (wanted, value) => Number(wanted) === Number(value)],
  ['NumericLessThan', (wanted, value) => Number(value) < Number(wanted)],
  ['NumericLessThanEquals', (wanted, value) => Number(value) <= Number(wanted)],
  ['NumericGreaterThan', (wanted, value) => Number(value) > Number(wanted)],
  ['NumericGreaterThanEquals', (wanted, value) => Number(value) >= Number(wanted)],
  ['DateEquals', (wanted, value) => Date.parse(wanted) === Date.parse(value)],
  ['DateLessThan', (wanted, value) => Date.parse(value) < Date.parse(wanted)],
  ['DateLessThanEquals', (wanted, value) => Date.parse(value) <= Date.parse(wanted)],
  ['DateGreaterThan', (wanted, value) => Date.parse(value) > Date.parse(wanted)],
  ['DateGreaterThanEquals', (wanted, value) => Date.parse(value) >= Date.parse(wanted)],
  ['Bool', (wanted, value) => wanted.toLowerCase() === value.toLowerCase()],
  ['IpAddress', (wanted, value) => isAddressBlock(wanted) && new AddressBlocks([wanted]).has(value)],
]);

/** The opposite of an operator; it holds where the request has no such value. */
const opposites = new Map([
  ['StringNotEquals', 'StringEquals'],
  ['StringNotEqualsIgnoreCase', 'StringEqualsIgnoreCase'],
  ['StringNotLike', 'StringLike'],
  ['ArnNotEquals', 'ArnEquals'],
  ['ArnNotLike', 'ArnLike'],
  ['NumericNotEquals', 'NumericEquals'],
  ['DateNotEquals', 'DateEquals'],
  ['NotIpAddress', 'IpAddress'],
]);

function parseConditions(value: unknown): Condition[] {
  if (value === undefined) return [];
  if (!isRecord(value)) throw malformed('Policy has invalid condition');
  return Object.entries(value).flatMap(([written, keys]) => {
    const [, set, name = '', ifExists] =
      /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(written) ?? [];
    if (!operators.has(name) && !opposites.has(name) && name !== 'Null')
      throw malformed(`Invalid Condition type : ${written.slice(0, 64)}`);
    if (!isRecord(keys)) throw malformed('Policy has invalid condition');
    return Object.entries(keys).map(([key, wanted]) => ({
      ...{ operator: name, ifExists: ifExists !== undefined, forAll: set === 'ForAllValues', key },
      values: texts(
        [wanted].flat().map((one) => (typeof one === 'string' ? one : String(one))),
        'condition',
      ),
    }));
  });
}

/** `*` and `?` stand for any text and any character. Goes back over one star only, so the work is bounded. */
function matches(pattern: string, text: string): boolean {
  let [p, t, star, mark] = [0, 0, -1, 0];
  while (t < text.length) {
    if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t]) && pattern[p] !== '*') {
      p++;
      t++;
    } else if (pattern[p] === '*') {
      star = p++;
      mark = t;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** What a policy says: a Deny counts more than any Allow. */
export function decide(statements: readonly Statement[], question: Question): 'Allow' | 'Deny' | undefined {
  let decision: 'Allow' | undefined;
  for (const statement of statements) {
    if (!applies(statement, question)) continue;
    if (statement.effect === 'Deny') return 'Deny';
    decision = 'Allow';
  }
  return decision;
}

function applies(statement: Statement, question: Question): boolean {
  const { principals, notPrincipals, actions, notActions, resources, notResources, conditions } = statement;
  const isMeant = principals.some((name) => name === '*' || name === question.who);
  const action = question.action.toLowerCase();
  const isAction = actions.some((pattern) => pattern === '*' || matches(pattern.toLowerCase(), action));
  const isResource = resources.some((pattern) => matches(pattern, question.resource));
  return (
    isMeant !== notPrincipals &&
    isAction !== notActions &&
    isResource !== notResources &&
    conditions.every((condition) => holds(condition, question))
  );
}

function holds({ operator, ifExists, forAll, key, values }: Condition, question: Question): boolean {
  const found = question.valuesOf(key);
  if (operator === 'Null') return values.some((value) => (value === 'true') === (found === undefined));
  const opposite = opposites.get(operator);
  if (found === undefined) return ifExists || opposite !== undefined || forAll;
  const test = operators.get(opposite ?? operator);
  if (!test) return false;
  const fits = (value: string) => values.some((wanted) => test(wanted, value)) !== (opposite !== undefined);
  return forAll ? found.every(fits) : found.some(fits);
}

/** Keys that bind a statement to some of all callers. */
const narrowing =
  /^(aws:(SourceIp|SourceArn|SourceVpce?|SourceAccount|SourceOwner|userid|PrincipalOrgID|PrincipalArn|PrincipalAccount)|s3:DataAccessPoint\w*)$/i;

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html#access-control-block-public-access-policy-status */
export function isPublicPolicy(statements: readonly Statement[]): boolean {
  return statements.some(
    ({ effect, principals, conditions }) =>
      effect === 'Allow' &&
      principals.includes('*') &&
      !conditions.some(
        ({ key, values }) =>
          narrowing.test(key) && !values.some((value) => value === '*' || value.endsWith('/0')),
      ),
  );
}
