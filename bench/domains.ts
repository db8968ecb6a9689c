import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { type DomainName, isDomain, readDomain } from '../server/areas/web-reputation/domain-name.ts';
import { comboWords } from '../server/areas/web-reputation/examination/combo-words.ts';
import { kinds, permute } from '../server/areas/web-reputation/examination/permutations.ts';
import { FeedData } from '../server/areas/web-reputation/feeds/data.ts';
import { ownFeedsFile } from '../server/areas/web-reputation/feeds/declaration.ts';
import { SquatDetector } from '../server/areas/web-reputation/squat/detector.ts';
import { readNames } from '../server/areas/web-reputation/squat/files.ts';
import { isGenuine, type ProtectedNames } from '../server/areas/web-reputation/squat/protected-names.ts';
import { ratio } from './lib/report.ts';

/**
 * What is known of domain names, on sets that nothing was tuned to: each set is cut in two by a hash of the name, the detector
 * was tuned while looking at the half `a` alone, and the figures that count are those of `b`.
 *
 * Sets that are not ours are read from `MAINSTAY_BENCH_SETS` (../shared/data/domains) and left out where they are not there:
 *   popular.txt    names by rank, e.g. the Majestic Million (CC BY 3.0) or OpenDNS's lists (public domain)
 *   mailboxes.txt  domains of mail providers' mailboxes, e.g. of the package `email-providers` (ISC)
 *   trackers.txt   tracker domains, the most frequent first, e.g. those that whotracks.me (MIT) calls advertising or
 *                  analytics in the order of HTTP Archive's counts in `third-party-web` (MIT)
 */
const sets =
  process.env['MAINSTAY_BENCH_SETS'] ?? path.join(import.meta.dirname, '../../shared/data/domains');
const names = await readNames(undefined);
const detector = new SquatDetector(names);
const showMisses = process.argv.includes('--misses');

/** Names known the world over: distinctive ones, ordinary words, and words that only context tells from anybody's. */
const wellKnown = {
  distinctive:
    'paypal.com netflix.com facebook.com instagram.com whatsapp.com microsoft.com google.com youtube.com linkedin.com ' +
    'coinbase.com binance.com spotify.com dropbox.com docusign.com airbnb.com wellsfargo.com citibank.com hsbc.com ' +
    'santander.com barclays.co.uk fedex.com usps.com t-mobile.com vodafone.com verizon.com ikea.com zalando.com vinted.com ' +
    'aliexpress.com alibaba.com shopee.com tokopedia.com mercadolibre.com flipkart.com paytm.com gojek.com willhaben.at ' +
    'allegro.pl revolut.com klarna.com telegram.org tiktok.com snapchat.com roblox.com steamcommunity.com playstation.com ' +
    'nintendo.com samsung.com huawei.com xiaomi.com lufthansa.com ryanair.com easyjet.com booking.com expedia.com ' +
    'carrefour.fr mediamarkt.de bancolombia.com bradesco.com.br itau.com.br nubank.com.br mtn.com safaricom.co.ke ' +
    'standardbank.co.za trendyol.com yapikredi.com.tr sberbank.ru rakuten.co.jp kakao.com coupang.com commbank.com.au ' +
    'auspost.com.au telstra.com.au norton.com mcafee.com',
  ordinary:
    'apple.com amazon.com target.com chase.com orange.fr steampowered.com adobe.com oracle.com shell.com visa.com ' +
    'discover.com uber.com zoom.us slack.com stripe.com square.com wise.com tinder.com twitch.tv reddit.com outlook.com ' +
    'delta.com emirates.com marriott.com disney.com sparkasse.de canva.com notion.so grab.com line.me',
  common: 'dell.com asos.com indeed.com gap.com next.co.uk boots.com sky.com monday.com box.com',
} as const;

type Half = 'a' | 'b';
const halfOf = (text: string): Half => ((createHash('sha256').update(text).digest()[0] ?? 0) % 2 ? 'b' : 'a');

function domainsOf(texts: Iterable<string>): DomainName[] {
  return [...texts].flatMap((text) => {
    const read = readDomain(text);
    return isDomain(read) ? [read] : [];
  });
}

function share(part: number, all: number): string {
  return all === 0 ? '-' : `${((100 * part) / all).toFixed(2)} % of ${all}`;
}

function caught(squats: readonly DomainName[], of: ProtectedNames, label: string): Record<Half, string> {
  const row = {} as Record<Half, string>;
  for (const half of ['a', 'b'] as const) {
    const all = squats.filter((name) => halfOf(name.name) === half && !isGenuine(of, name));
    const missed = all.filter((name) => !detector.examine(name));
    row[half] = share(all.length - missed.length, all.length);
    if (showMisses && half === 'a')
      console.log(
        label,
        missed
          .slice(0, 60)
          .map(({ name }) => name)
          .join(' '),
      );
  }
  return row;
}

/** Every kind counts as much as any other. */
function imitations(): void {
  const rows: Record<string, Record<string, string>> = {};
  for (const [label, domains] of Object.entries(wellKnown)) {
    if (label === 'common') continue;
    const all: Record<Half, number[]> = { a: [], b: [] };
    for (const kind of kinds) {
      const squats = domainsOf(domains.split(' ').flatMap((domain) => permute(kind, domain)));
      for (const half of ['a', 'b'] as const) {
        const those = squats.filter((name) => halfOf(name.name) === half && !isGenuine(names, name));
        const missed = those.filter((name) => !detector.examine(name));
        if (those.length > 0) all[half].push(1 - missed.length / those.length);
        if (showMisses && half === 'a')
          console.log(
            `${label} ${kind}`,
            missed
              .filter((_, i) => i % 7 === 0)
              .slice(0, 30)
              .map(({ name }) => name)
              .join(' '),
          );
      }
      rows[`${label}, ${kind}`] = caught(squats, names, '');
    }
    for (const half of ['a', 'b'] as const) {
      const mean = all[half].reduce((sum, one) => sum + one, 0) / all[half].length;
      ratio(`${label} names, half ${half}, mean of kinds`, mean, 'at least 0.95');
    }
  }
  const contexts = domainsOf(
    wellKnown.common.split(' ').flatMap((domain) => {
      const label = domain.slice(0, domain.indexOf('.'));
      const suffix = domain.slice(domain.indexOf('.') + 1);
      return [
        ...['login', 'account', 'verify', 'support', 'secure', 'signin', 'billing'].flatMap((word) => [
          `${label}-${word}.com`,
          `${word}-${label}.com`,
          `${label}${word}.net`,
        ]),
        ...['xyz', 'top', 'tk', 'icu', 'click', 'cfd', 'sbs', 'cyou', 'buzz', 'rest'].map(
          (tld) => `${label}.${tld}`,
        ),
        ...permute('homoglyph_unicode', domain),
        ...permute('homoglyph_script', domain),
        ...['0', '1', '3', '5']
          .flatMap((digit) => [label.replace({ 0: 'o', 1: 'l', 3: 'e', 5: 's' }[digit] as string, digit)])
          .filter((text) => text !== label)
          .map((text) => `${text}.${suffix}`),
        `${label}.com.example-hosting.top`,
        `login.${label}.secure-check.net`,
      ];
    }),
  );
  rows['common words in context'] = caught(contexts, names, 'common');
  console.table(rows);
}

function combosquats(): void {
  const rows: Record<string, Record<Half, string>> = {};
  const domains = `${wellKnown.distinctive} ${wellKnown.ordinary}`.split(' ').filter((_, i) => i % 3 === 0);
  for (const [language, words] of Object.entries(comboWords)) {
    const squats = domains.flatMap((domain) => {
      const label = domain.slice(0, domain.indexOf('.'));
      return words.flatMap((word) => [
        `${label}-${word}.com`,
        `${word}-${label}.com`,
        `${label}${word}.com`,
        `${word}${label}.com`,
      ]);
    });
    // Cut by the word, so that a word that was looked at is in one half alone.
    const row = {} as Record<Half, string>;
    for (const half of ['a', 'b'] as const) {
      const of = new Set(words.filter((word) => halfOf(word) === half));
      const all = domainsOf(squats).filter(({ name }) => [...of].some((word) => name.includes(word)));
      const missed = all.filter((name) => !detector.examine(name));
      row[half] = share(all.length - missed.length, all.length);
      if (showMisses && half === 'a')
        console.log(
          language,
          missed
            .filter((_, i) => i % 9 === 0)
            .slice(0, 40)
            .map(({ name }) => name)
            .join(' '),
        );
    }
    rows[language] = row;
  }
  console.table(rows);
}

function lines(file: string): string[] | undefined {
  const full = path.join(sets, file);
  if (!existsSync(full)) {
    console.log(`${file} is not measured: it is not in ${sets}.`);
    return undefined;
  }
  return readFileSync(full, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function popular(): void {
  const all = lines('popular.txt');
  if (!all) return;
  const ranked = [...new Set(domainsOf(all).map(({ registrable }) => registrable))];
  for (const [label, part, goal] of [
    ['the first 10 000 popular names', ranked.slice(0, 10_000), 'at most 0.2'],
    ['the next 50 000', ranked.slice(10_000, 60_000), 'at most 0.3'],
  ] as const) {
    for (const half of ['a', 'b'] as const) {
      const those = domainsOf(part.filter((name) => halfOf(name) === half));
      const flagged = those.filter((name) => detector.examine(name));
      ratio(
        `${label}, half ${half} (${those.length}), per cent flagged`,
        (100 * flagged.length) / those.length,
        goal,
      );
      if (showMisses && half === 'a')
        console.log(
          flagged
            .map((name) => `${name.name} (${Object.values(detector.examine(name) ?? {}).join(' ')})`)
            .join(', '),
        );
    }
  }
}

function mailboxes(): void {
  const all = lines('mailboxes.txt');
  if (!all) return;
  const flagged = domainsOf(all).flatMap((name) => (detector.examine(name) ? [name.name] : []));
  ratio(`mailbox domains flagged, of ${all.length}`, flagged.length, '0');
  if (showMisses) console.log(flagged.join(' '));
}

async function listed(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
  const settings = {
    ...{ folder, feedsFile: ownFeedsFile, protectedNamesFile: undefined },
    ...{ network: false, leastShare: 0, timeoutSeconds: 1, userAgent: 'bench' },
  };
  await using feeds = new FeedData({ log: pino({ level: 'silent' }), settings });
  await feeds.ready();
  const statusOf = (name: DomainName) => feeds.find(name)?.status ?? 'none';
  const services = {
    relay_email:
      'forwardemail.net improvmx.com spamgourmet.com sneakemail.com burnermail.io addy.biz simplelogin.com duck.com mozmail.com',
    none: 'keemail.me tutamail.com tuta.io gmail.com hotmail.fr posteo.de mailbox.org fastmail.com',
    disposable_email:
      'mailinator.com guerrillamail.com 10minutemail.com yopmail.com temp-mail.org trashmail.com',
  };
  for (const [status, text] of Object.entries(services)) {
    const wrong = domainsOf(text.split(' ')).filter((name) => statusOf(name) !== status);
    ratio(`of ${text.split(' ').length} services not known as ${status}`, wrong.length, '0');
    if (wrong.length > 0) console.log(wrong.map((name) => `${name.name} ${statusOf(name)}`).join(', '));
  }
  const trackers = lines('trackers.txt')?.slice(0, 200);
  if (trackers) {
    for (const half of ['a', 'b'] as const) {
      const those = domainsOf(trackers.filter((name) => halfOf(name) === half));
      const missing = those.filter((name) => statusOf(name) !== 'tracker');
      ratio(
        `trackers known of the most frequent, half ${half} (${those.length})`,
        1 - missing.length / those.length,
        'at least 0.9',
      );
      if (showMisses && half === 'a')
        console.log(missing.map((name) => `${name.name} ${statusOf(name)}`).join(', '));
    }
  }
  const mails = lines('mailboxes.txt') ?? [];
  const disposable = domainsOf(mails).filter((name) => statusOf(name) !== 'none');
  ratio(`mailbox domains on a list, of ${mails.length}`, disposable.length, '0');
  if (showMisses) console.log(disposable.map((name) => `${name.name} ${statusOf(name)}`).join(' '));
  await rm(folder, { recursive: true, force: true });
}

/** What an examination costs: of names in anybody's use, and of imitations. */
function cost(): void {
  const all = domainsOf(
    Array.from(
      { length: 20_000 },
      (_, i) =>
        `${['garden', 'north', 'cloudy', 'pixel', 'the-old'][i % 5]}${i.toString(36)}${['works', 'shop', '-hotel', 'media', 'net'][i % 5]}.${['com', 'de', 'net', 'org', 'co.uk'][i % 5]}`,
    ),
  );
  const rounds = Array.from({ length: 7 }, () => {
    const start = process.cpuUsage();
    for (const name of all) detector.examine(name);
    return process.cpuUsage(start).user / all.length;
  });
  ratio('an examination of a name, microseconds of CPU', rounds.sort((a, b) => a - b)[3] ?? 0, 'under 10');
}

console.log(`${names.names.length} protected names`);
cost();
mailboxes();
popular();
imitations();
combosquats();
await listed();
