import type { PartyDraft } from './draft.ts';
import type { Line } from './lines.ts';
import type { DomainField, PartyField } from './vocabulary.ts';

/** What the lines being read belong to. */
export interface Section {
  readonly kind: 'party' | 'object' | DomainField | 'foreign' | 'closing';
  readonly party: PartyDraft | null;
  /** Indent of the header line. */
  readonly indent: number;
  /** Its lines are indented deeper than its header: it ends where the indent does. */
  nested: boolean | null;
  /** Opened by a header that stood alone. */
  readonly alone: boolean;
  /** A labelled field of the party has been read. */
  used: boolean;
  /** The field that an unlabelled line would continue; `unknown` after a label that nobody knows. */
  last: PartyField | 'unknown' | null;
}

/** Whether the section ends before this line. Learns from the first line whether the section is indented. */
export function ends(section: Section, line: Line): boolean {
  if (section.nested === null) {
    section.nested = line.indent > section.indent;
  } else if (section.nested && line.indent <= section.indent) {
    return true;
  }
  return line.startsParagraph && endsWithParagraph(section, line);
}

function endsWithParagraph(section: Section, line: Line): boolean {
  if (section.kind === 'object' || section.kind === 'foreign') return true;
  if (section.nested || section.kind !== 'party') return false;
  if (line.label === null) return section.party !== null && section.party.block.length > 0;
  const { meaning } = line;
  return meaning?.kind === 'domain' && meaning.partyField === null;
}
