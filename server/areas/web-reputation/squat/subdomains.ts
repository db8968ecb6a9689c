import type { DomainName } from '../domain-name.ts';
import { partsOf, wordingOfAll, wordingOfAny } from './affixes.ts';
import { affixed } from './combosquatting.ts';
import { type Imitation, see } from './imitation.ts';
import type { NameTable } from './name-table.ts';
import type { ProtectedName } from './protected-names.ts';
import { reaches } from './spelling.ts';

/** A protected name among the labels below somebody else's domain: www.paypal.com.example.net, pay.pal.com. */
export function amongSubdomains(table: NameTable, domain: DomainName): Imitation | undefined {
  if (domain.name === domain.registrable) return undefined;
  const labels = domain.name.slice(0, -domain.suffix.length - 1).split('.');
  for (const name of table.labelled(labels.join(''))) {
    // A letter before a short word may be a door of its own: m.eta.com.
    const isLong =
      name.label.length > 4 ||
      (name.label.length === 4 && name.suffixes.has(domain.suffix) && labels[0] !== 'm');
    if (isLong && reaches(name, domain.suffix)) return found(name);
  }
  for (const [i, label] of labels.slice(0, -1).entries()) {
    const seen = see(label);
    const next = labels[i + 1] as string;
    const others = labels.filter((_, j) => j !== i);
    for (const name of table.labelled(seen.text)) {
      const isPlain = name.kind !== 'common';
      if (isAlone(name) || isContinued(name, next) || (isPlain && isPressed(name, others)))
        return found(name);
      // A word in anybody's use, where the labels around it are nothing but words that ask for something.
      if (
        !isPlain &&
        name.label.length > 3 &&
        wordingOfAll(others.flatMap(partsOf)) === 'pressing' &&
        others.length > 1
      )
        return found(name);
    }
    const around = affixed(table, seen);
    if (around) return { of: around.of, technique: 'subdomain' };
  }
  return undefined;
}

/** What companies run, or give their people a door to, below domains of their own: gitlab.example.com. */
const tools = new Set(
  (
    'github gitlab bitbucket atlassian wordpress outlook office365 sharepoint onedrive skype webex docker mongodb minecraft ' +
    'mastodon ubuntu debian redhat python jquery npmjs stackoverflow sourceforge zendesk freshdesk salesforce hubspot ' +
    'mailchimp sendgrid mailgun twilio docusign dropbox evernote servicenow prestashop bigcommerce bamboohr surveymonkey ' +
    'cloudflare akamai fastly huggingface openai chatgpt'
  ).split(' '),
);

/** Long and distinctive enough to mean nothing else. */
function isAlone({ kind, label, isMinor }: ProtectedName): boolean {
  return kind === 'distinctive' && label.length >= (isMinor ? 8 : 5) && !tools.has(label);
}

/** With its own suffix behind it: apple.com.example.net. */
function isContinued({ kind, label, suffixes }: ProtectedName, next: string): boolean {
  if (label.length < (kind === 'common' ? 4 : 3)) return false;
  return next === 'com' || [...suffixes].some((suffix) => suffix === next || suffix.startsWith(`${next}.`));
}

/** With a word that asks for something elsewhere: login.chase.example.net. */
function isPressed({ label }: ProtectedName, others: readonly string[]): boolean {
  return label.length >= 4 && wordingOfAny(others.flatMap(partsOf)) === 'pressing';
}

function found({ domain }: ProtectedName): Imitation {
  return { of: domain, technique: 'subdomain' };
}
