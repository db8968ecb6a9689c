import { afterPrefix, listAllVersions, type ObjectRow } from '#areas/storage/service.ts';
import { isId } from '#core/ids.ts';
import { bucketOf, type Call, sendXml } from '../call.ts';
import { objectAcl, s3Of } from '../documents.ts';
import { S3Error } from '../errors.ts';
import { document, element, leaf } from '../wire/xml.ts';
import { namesOf, ownerOf, readListParameters, startAfter, startOf } from './listing.ts';

type Entry = { row: ObjectRow } | { prefix: string };

/** GET ?versions: all versions and delete markers by key, newest first. */
export async function listObjectVersions(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const { query } = call.target;
  const parameters = readListParameters(call);
  const { prefix, delimiter, limit, shown, isEncoded } = parameters;
  const keyMarker = query.get('key-marker') ?? '';
  const versionMarker = query.get('version-id-marker') ?? '';
  if (versionMarker !== '' && keyMarker === '')
    throw new S3Error('InvalidArgument', 'A version-id marker cannot be specified without a key marker.');
  if (keyMarker.includes('\0')) throw new S3Error('InvalidArgument', 'The parameter key-marker is no key.');
  const walk = {
    start: startOf(keyMarker, parameters),
    within: versionMarker === '' ? undefined : { key: keyMarker, id: versionMarker },
  };
  const entries = await collect(call, bucket.id, { prefix, delimiter, limit: limit + 1, ...walk });
  const isTruncated = limit > 0 && entries.length > limit;
  const page = entries.slice(0, limit);
  const last = isTruncated ? page.at(-1) : undefined;
  const rows = page.flatMap((entry) => ('row' in entry ? [entry.row] : []));
  const names = await namesOf(
    call,
    rows.map((row) => objectAcl(row, bucket).owner),
  );
  sendXml(
    call,
    document(
      'ListVersionsResult',
      leaf('Name', bucket.slug),
      leaf('Prefix', shown(prefix)),
      leaf('KeyMarker', shown(keyMarker)),
      leaf('VersionIdMarker', versionMarker),
      leaf('NextKeyMarker', last && shown('row' in last ? last.row.key : last.prefix)),
      leaf('NextVersionIdMarker', last && 'row' in last ? versionId(last.row) : undefined),
      leaf('MaxKeys', limit),
      leaf('Delimiter', delimiter === '' ? undefined : shown(delimiter)),
      leaf('IsTruncated', isTruncated),
      leaf('EncodingType', isEncoded ? 'url' : undefined),
      ...page.map((entry) => {
        if (!('row' in entry)) return element('CommonPrefixes', leaf('Prefix', shown(entry.prefix)));
        const { row } = entry;
        const s3 = s3Of(row);
        return element(
          row.delete_marker ? 'DeleteMarker' : 'Version',
          leaf('Key', shown(row.key)),
          leaf('VersionId', versionId(row)),
          leaf('IsLatest', row.state !== 'old'),
          leaf('LastModified', new Date(row.uploaded_at).toISOString()),
          ...(row.delete_marker
            ? []
            : [
                leaf('ETag', `"${row.etag}"`),
                leaf('ChecksumAlgorithm', s3.checksum?.algorithm),
                leaf('ChecksumType', s3.checksum?.type),
                leaf('Size', row.content_length),
                leaf('StorageClass', s3.storageClass ?? 'STANDARD'),
              ]),
          ownerOf(row, bucket, names),
        );
      }),
    ),
  );
}

function versionId(row: ObjectRow): string {
  return row.null_version ? 'null' : row.id;
}

interface Walk {
  prefix: string;
  delimiter: string;
  limit: number;
  start: string;
  /** A key whose older versions come first, and the one that was shown last. */
  within: { key: string; id: string } | undefined;
}

async function collect({ deps }: Call, bucketId: string, walk: Walk): Promise<Entry[]> {
  const { prefix, delimiter, limit } = walk;
  const end = afterPrefix(prefix);
  const entries: Entry[] = [];
  let start = Buffer.compare(Buffer.from(walk.start), Buffer.from(prefix)) > 0 ? walk.start : prefix;
  let within = walk.within;
  if (within && within.id !== 'null' && !isId(within.id))
    throw new S3Error('InvalidArgument', 'Invalid version id specified');
  while (entries.length < limit) {
    const rows = await listAllVersions(deps.db, bucketId, { start, end, within, limit });
    within = undefined;
    let group: string | undefined;
    for (const row of rows) {
      if (group !== undefined && row.key.startsWith(group)) continue;
      const at = delimiter === '' ? -1 : row.key.indexOf(delimiter, prefix.length);
      group = at < 0 ? undefined : row.key.slice(0, at + delimiter.length);
      entries.push(group === undefined ? { row } : { prefix: group });
      if (entries.length === limit) return entries;
    }
    const last = rows.at(-1);
    if (!last || rows.length < limit) return entries;
    const next = group !== undefined ? afterPrefix(group) : startAfter(last.key);
    if (next === undefined) return entries;
    // The versions of the last key may continue.
    if (group === undefined) within = { key: last.key, id: versionId(last) };
    start = next;
  }
  return entries;
}
