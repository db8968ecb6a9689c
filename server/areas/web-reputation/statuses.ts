/** What a domain can be known for, as the specification names it. */
export const statuses = [
  'neutral',
  'adult_content',
  'phishing',
  'spam',
  'disposable_email',
  'relay_email',
  'piracy',
  'malware',
  'tracker',
  'squat',
] as const;
export type Status = (typeof statuses)[number];

/** What a feed can list. */
export type ListedStatus = Exclude<Status, 'neutral'>;

/**
 * Which status a name has that stands on several lists, the first wins. Relay services come first: public lists of
 * disposable mailboxes name many of them wrongly. Then the worse, then the more particular.
 */
export const precedence = [
  'relay_email',
  'malware',
  'phishing',
  'squat',
  'disposable_email',
  'piracy',
  'adult_content',
  'spam',
  'tracker',
] as const satisfies readonly ListedStatus[];

/** The status of a name that has all of these on lists. */
export function worst(listed: readonly ListedStatus[]): ListedStatus | undefined {
  return precedence.find((status) => listed.includes(status));
}

/** Statuses that a careful service keeps away from. */
export function isWithheld(status: Status): boolean {
  return status !== 'neutral' && status !== 'relay_email';
}
