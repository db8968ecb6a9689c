import type { LifecycleRule } from '#areas/storage/service.ts';
import { bucketOf, type Call, readDocument, send, sendXml } from '../call.ts';
import { documentsOf } from '../documents.ts';
import { notOffered, S3Error } from '../errors.ts';
import { type Child, document, element, leaf } from '../wire/xml.ts';
import { childOf, childrenOf, parseXml, textOf, type XmlElement } from '../wire/xml-parser.ts';
import { change } from './bucket-config.ts';

/** Lifecycle rules: S3's document, and the rules of the bucket, which the API shows and changes as well. */

export async function getLifecycle(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  if (bucket.lifecycle === '[]') throw new S3Error('NoSuchLifecycleConfiguration');
  const { lifecycle } = documentsOf(bucket);
  // In the words that they were written in, unless the rules were changed elsewhere since.
  if (lifecycle?.rules === bucket.lifecycle)
    return sendXml(call, document('LifecycleConfiguration', lifecycle.xml));
  const rules = JSON.parse(bucket.lifecycle) as LifecycleRule[];
  sendXml(call, document('LifecycleConfiguration', ...rules.map(ruleXml)));
}

export async function putLifecycle(call: Call): Promise<void> {
  const root = parseXml(await readDocument(call, { maxBytes: 1024 * 1024 }));
  const written = childrenOf(root, 'Rule');
  if (root.name !== 'LifecycleConfiguration' || written.length === 0 || written.length > 1000)
    throw new S3Error('MalformedXML');
  const ids = new Set<string>();
  const rules = written.map((rule, at) => {
    const read = readRule(rule, at);
    if (read.id !== undefined && ids.has(read.id))
      throw new S3Error('InvalidArgument', 'Rule ID must be unique. Found same ID for more than one rule');
    ids.add(read.id ?? '');
    return read;
  });
  const xml = written.map((rule, at) => echo(withId(rule, rules[at]?.id ?? ''))).join('');
  await change(call, { lifecycle: rules, documents: { lifecycle: { xml, rules: JSON.stringify(rules) } } });
  send(call, 200);
}

export async function deleteLifecycle(call: Call): Promise<void> {
  await change(call, { lifecycle: [], documents: { lifecycle: undefined } });
  send(call, 204);
}

function withId(rule: XmlElement, id: string): XmlElement {
  if (childOf(rule, 'ID')?.text) return rule;
  const named = { name: 'ID', attributes: new Map(), children: [], text: id };
  return { ...rule, children: [named, ...rule.children.filter(({ name }) => name !== 'ID')] };
}

/** What was read, written again: nothing of it can be more than elements and text. */
function echo(node: XmlElement): string {
  if (node.children.length === 0) return leaf(node.name, node.text.trim()) || '';
  return element(node.name, ...node.children.map(echo));
}

function readRule(rule: XmlElement, at: number): LifecycleRule {
  const id = textOf(rule, 'ID') || `rule-${at + 1}-${crypto.randomUUID().slice(0, 8)}`;
  const status = textOf(rule, 'Status');
  if (id.length > 255)
    throw new S3Error('InvalidArgument', 'ID length should not exceed allowed limit of 255');
  if (status !== 'Enabled' && status !== 'Disabled') throw new S3Error('MalformedXML');
  for (const transition of [
    ...childrenOf(rule, 'Transition'),
    ...childrenOf(rule, 'NoncurrentVersionTransition'),
  ]) {
    const date = textOf(transition, 'Date');
    if (date !== undefined) readDate(date);
    throw notOffered('A transition to another storage class');
  }
  const read: LifecycleRule = {
    id,
    enabled: status === 'Enabled',
    ...readFilter(rule),
    ...readExpiration(rule),
  };
  const old = childOf(rule, 'NoncurrentVersionExpiration');
  if (old) {
    read.expireOldVersionsAfterDays = days(textOf(old, 'NoncurrentDays'), 'NoncurrentDays');
    const kept = textOf(old, 'NewerNoncurrentVersions');
    if (kept !== undefined) read.keepOldVersions = days(kept, 'NewerNoncurrentVersions');
  }
  const abort = childOf(rule, 'AbortIncompleteMultipartUpload');
  if (abort) read.abortUploadsAfterDays = days(textOf(abort, 'DaysAfterInitiation'), 'DaysAfterInitiation');
  const acts = ['Expiration', 'NoncurrentVersionExpiration', 'AbortIncompleteMultipartUpload'];
  if (!acts.some((name) => childOf(rule, name)))
    throw new S3Error('InvalidRequest', 'At least one action needs to be specified in a rule');
  return read;
}

function readExpiration(rule: XmlElement): Partial<LifecycleRule> {
  const expiration = childOf(rule, 'Expiration');
  if (!expiration) return {};
  const [inDays, date, marker] = ['Days', 'Date', 'ExpiredObjectDeleteMarker'].map((name) =>
    textOf(expiration, name),
  );
  if ([inDays, date, marker].filter((one) => one !== undefined).length !== 1)
    throw new S3Error('MalformedXML');
  if (inDays !== undefined) return { expireAfterDays: days(inDays, 'Expiration Days') };
  if (date !== undefined) return { expireAt: readDate(date) };
  return marker === 'true' ? { removeExpiredMarkers: true } : {};
}

function readDate(text: string): string {
  const time = /^\d{4}-?\d\d-?\d\d/.test(text)
    ? Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)(?=T|$)/, '$1-$2-$3'))
    : Number.NaN;
  if (Number.isNaN(time)) throw new S3Error('MalformedXML');
  if (time % 86_400_000 !== 0) throw new S3Error('InvalidArgument', "'Date' must be at midnight GMT");
  return new Date(time).toISOString();
}

function days(text: string | undefined, name: string): number {
  const count = /^-?\d{1,6}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (Number.isNaN(count)) throw new S3Error('MalformedXML');
  if (count < 1)
    throw new S3Error('InvalidArgument', `'${name}' for Lifecycle action must be a positive integer`);
  return Math.min(count, 36_500);
}

/** `Prefix` beside the rest is how it was written before there were filters. */
function readFilter(rule: XmlElement): Partial<LifecycleRule> {
  const filter = childOf(rule, 'Filter');
  const and = filter && childOf(filter, 'And');
  const from = and ?? filter ?? rule;
  const read: Partial<LifecycleRule> = {};
  const prefix = childOf(from, 'Prefix')?.text;
  if (prefix !== undefined && prefix !== '') read.prefix = prefix;
  const tags = childrenOf(from, 'Tag').map(
    (tag) => [textOf(tag, 'Key') ?? '', textOf(tag, 'Value') ?? ''] as const,
  );
  if (tags.length > 10) throw new S3Error('MalformedXML');
  if (tags.length > 0) read.tags = Object.fromEntries(tags);
  const size = (name: string) => {
    const text = textOf(from, name);
    if (text === undefined) return undefined;
    if (!/^\d{1,15}$/.test(text)) throw new S3Error('InvalidArgument', `'${name}' must be a number of bytes`);
    return Number(text);
  };
  const [larger, smaller] = [size('ObjectSizeGreaterThan'), size('ObjectSizeLessThan')];
  if (larger !== undefined) read.largerThan = larger;
  if (smaller !== undefined) read.smallerThan = smaller;
  return read;
}

/** A rule that was made elsewhere, as S3 says it. */
function ruleXml(rule: LifecycleRule): string {
  const { prefix = '', tags = {}, largerThan, smallerThan } = rule;
  const parts: Child[] = [
    leaf('Prefix', prefix),
    ...Object.entries(tags).map(([key, value]) => element('Tag', leaf('Key', key), leaf('Value', value))),
    leaf('ObjectSizeGreaterThan', largerThan),
    leaf('ObjectSizeLessThan', smallerThan),
  ].filter((part) => part);
  const expiration = [
    leaf('Days', rule.expireAfterDays),
    leaf('Date', rule.expireAt),
    leaf('ExpiredObjectDeleteMarker', rule.removeExpiredMarkers),
  ].filter((part) => part);
  const hasOld = rule.expireOldVersionsAfterDays !== undefined || rule.keepOldVersions !== undefined;
  return element(
    'Rule',
    leaf('ID', rule.id),
    leaf('Status', rule.enabled === false ? 'Disabled' : 'Enabled'),
    element('Filter', ...(parts.length > 1 ? [element('And', ...parts)] : parts)),
    expiration.length > 0 && element('Expiration', ...expiration),
    hasOld &&
      element(
        'NoncurrentVersionExpiration',
        leaf('NoncurrentDays', rule.expireOldVersionsAfterDays ?? 1),
        leaf('NewerNoncurrentVersions', rule.keepOldVersions),
      ),
    rule.abortUploadsAfterDays !== undefined &&
      element('AbortIncompleteMultipartUpload', leaf('DaysAfterInitiation', rule.abortUploadsAfterDays)),
  );
}
