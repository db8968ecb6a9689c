import { bucketOf, type Call, sendXml } from '../call.ts';
import { S3Error } from '../errors.ts';
import { document, leaf } from '../wire/xml.ts';

/** What buckets here never have, as S3 says that they have it not. */

export async function getLogging(call: Call): Promise<void> {
  bucketOf(call);
  sendXml(call, document('BucketLoggingStatus'));
}

export async function getNotification(call: Call): Promise<void> {
  bucketOf(call);
  sendXml(call, document('NotificationConfiguration'));
}

export async function getRequestPayment(call: Call): Promise<void> {
  bucketOf(call);
  sendXml(call, document('RequestPaymentConfiguration', leaf('Payer', 'BucketOwner')));
}

export async function getAccelerate(call: Call): Promise<void> {
  bucketOf(call);
  sendXml(call, document('AccelerateConfiguration'));
}

export async function getWebsite(): Promise<void> {
  throw new S3Error('NoSuchWebsiteConfiguration');
}

export async function getReplication(): Promise<void> {
  throw new S3Error('ReplicationConfigurationNotFoundError');
}
