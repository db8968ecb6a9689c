import path from 'node:path';
import { isoTime } from '#core/clock.ts';
import type { FeedData } from './feeds/data.ts';
import type { Feed } from './feeds/declaration.ts';
import type { FeedState } from './feeds/states.ts';
import type { OverrideRow } from './store.ts';

export async function feedList(feeds: FeedData) {
  const [declared, states] = await Promise.all([feeds.declared(), feeds.states()]);
  return { items: declared.map((feed) => toFeed(feed, states.get(feed.id))), total: declared.length };
}

function toFeed(feed: Feed, state: FeedState | undefined) {
  const { id, status, format, source, licence, homepage } = feed;
  const time = (milliseconds: number | null | undefined) =>
    milliseconds == null ? null : isoTime(milliseconds);
  return {
    ...{ id, status, format, licence, homepage },
    source: { type: source.kind, name: nameOf(feed) },
    refreshSeconds: source.kind === 'url' ? source.refreshSeconds : null,
    names: state?.names ?? 0,
    refused: state?.refused ?? { malformed: 0, suffix: 0, private: 0, genuine: 0 },
    checkedAt: time(state?.checkedAt),
    fetchedAt: time(state?.fetchedAt),
    changedAt: time(state?.changedAt),
    error: state?.error ?? null,
  };
}

/** Without the folders of this machine. */
function nameOf({ source }: Feed): string {
  if (source.kind === 'url') return source.url;
  return source.kind === 'package' ? source.package : path.basename(source.file);
}

export function toOverride(row: OverrideRow) {
  return {
    id: row.id,
    domain: row.domain,
    action: row.action,
    status: row.status,
    note: row.note,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
