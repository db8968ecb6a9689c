import { type BucketRow, listAllPieces, listMultipart, type UploadRow } from '#areas/storage/service.ts';
import { ownerXml } from '../access/acl.ts';
import { bucketOf, type Call, sendXml } from '../call.ts';
import { type S3Attributes, s3Of } from '../documents.ts';
import { S3Error } from '../errors.ts';
import { namesOf, readListParameters, startAfter } from '../operations/listing.ts';
import { fieldOf } from '../wire/checksums.ts';
import { document, element, leaf } from '../wire/xml.ts';
import { detailsOf, uploadOf } from './upload.ts';

/** Who began an upload, and whose the object will be: the bucket's owner gets it where ownership says so. */
function peopleOf(upload: UploadRow, bucket: BucketRow): { initiator: string; owner: string } {
  const s3: S3Attributes & { owner?: string } = s3Of(upload);
  const bucketOwner = bucket.application_id;
  return { initiator: s3.owner ?? bucketOwner, owner: s3.acl?.owner ?? bucketOwner };
}

/** GET ?uploadId */
export async function listParts(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const upload = await uploadOf(call);
  const { limit } = readListParameters(call, 'max-parts');
  const marker = Number(call.target.query.get('part-number-marker') || 0);
  if (!Number.isInteger(marker) || marker < 0)
    throw new S3Error('InvalidArgument', 'part-number-marker must be a number');
  const pieces = await listAllPieces(call.deps.db, upload.id, { after: marker, limit: limit + 1 });
  const page = pieces.slice(0, limit);
  const s3 = s3Of(upload);
  const { initiator, owner } = peopleOf(upload, bucket);
  const names = await namesOf(call, [initiator, owner]);
  const isTruncated = pieces.length > limit && limit > 0;
  sendXml(
    call,
    document(
      'ListPartsResult',
      leaf('Bucket', bucket.slug),
      leaf('Key', upload.key),
      leaf('UploadId', upload.id),
      ownerXml('Initiator', initiator, names.get(initiator) ?? ''),
      ownerXml('Owner', owner, names.get(owner) ?? ''),
      leaf('StorageClass', s3.storageClass ?? 'STANDARD'),
      leaf('PartNumberMarker', marker),
      leaf('NextPartNumberMarker', page.at(-1)?.number ?? 0),
      leaf('MaxParts', limit),
      leaf('IsTruncated', isTruncated),
      leaf('ChecksumAlgorithm', s3.wanted?.algorithm),
      leaf('ChecksumType', s3.wanted?.type),
      ...page.map((piece) => {
        const { etag, checksum } = detailsOf(piece);
        return element(
          'Part',
          leaf('PartNumber', piece.number),
          leaf('LastModified', new Date(piece.created_at).toISOString()),
          leaf('ETag', `"${etag}"`),
          leaf('Size', piece.size),
          checksum && leaf(fieldOf(checksum.algorithm), checksum.value),
        );
      }),
    ),
  );
}

/** GET ?uploads */
export async function listMultipartUploads(call: Call): Promise<void> {
  const bucket = bucketOf(call);
  const { query } = call.target;
  const { prefix, delimiter, limit, shown, isEncoded } = readListParameters(call, 'max-uploads');
  const keyMarker = query.get('key-marker') ?? '';
  const idMarker = keyMarker === '' ? '' : (query.get('upload-id-marker') ?? '');
  const entries: ({ row: UploadRow } | { prefix: string })[] = [];
  let after: { key: string; id: string } | undefined =
    keyMarker === '' ? undefined : { key: keyMarker, id: idMarker };
  let group: string | undefined;
  walk: for (;;) {
    const rows = await listMultipart(call.deps.db, bucket.id, { prefix, after, limit: 1000 });
    for (const row of rows) {
      after = { key: row.key, id: row.id };
      if (group !== undefined && row.key.startsWith(group)) continue;
      const at = delimiter === '' ? -1 : row.key.indexOf(delimiter, prefix.length);
      group = at < 0 ? undefined : row.key.slice(0, at + delimiter.length);
      entries.push(group === undefined ? { row } : { prefix: group });
      if (entries.length > limit) break walk;
    }
    if (rows.length < 1000) break;
  }
  const isTruncated = entries.length > limit && limit > 0;
  const page = entries.slice(0, limit);
  const last = isTruncated ? page.at(-1) : undefined;
  const names = await namesOf(
    call,
    page.flatMap((entry) => ('row' in entry ? Object.values(peopleOf(entry.row, bucket)) : [])),
  );
  const who = (name: string, id: string) => ownerXml(name, id, names.get(id) ?? '');
  sendXml(
    call,
    document(
      'ListMultipartUploadsResult',
      leaf('Bucket', bucket.slug),
      leaf('KeyMarker', shown(keyMarker)),
      leaf('UploadIdMarker', idMarker),
      leaf('NextKeyMarker', last && shown('row' in last ? last.row.key : startAfter(last.prefix))),
      leaf('NextUploadIdMarker', last && ('row' in last ? last.row.id : '')),
      leaf('Prefix', shown(prefix)),
      leaf('Delimiter', delimiter === '' ? undefined : shown(delimiter)),
      leaf('MaxUploads', limit),
      leaf('IsTruncated', isTruncated),
      leaf('EncodingType', isEncoded ? 'url' : undefined),
      ...page.map((entry) => {
        if (!('row' in entry)) return element('CommonPrefixes', leaf('Prefix', shown(entry.prefix)));
        const { row } = entry;
        const s3 = s3Of(row);
        const { initiator, owner } = peopleOf(row, bucket);
        return element(
          'Upload',
          leaf('Key', shown(row.key)),
          leaf('UploadId', row.id),
          who('Initiator', initiator),
          who('Owner', owner),
          leaf('StorageClass', s3.storageClass ?? 'STANDARD'),
          leaf('Initiated', new Date(row.created_at).toISOString()),
          leaf('ChecksumAlgorithm', s3.wanted?.algorithm),
          leaf('ChecksumType', s3.wanted?.type),
        );
      }),
    ),
  );
}
