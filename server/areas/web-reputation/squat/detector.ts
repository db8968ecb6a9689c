import { inOneGo } from '#core/time-slices.ts';
import type { DomainName } from '../domain-name.ts';
import { affixed, shortWithCredentials, withoutDot } from './combosquatting.ts';
import { type Imitation, see } from './imitation.ts';
import { NameTable } from './name-table.ts';
import { isGenuine, labelOf, type ProtectedNames } from './protected-names.ts';
import { likeLabel, sameLabel } from './spelling.ts';
import { amongSubdomains } from './subdomains.ts';

/** Tells names that imitate a protected one. It asks no list and no network: it works on names never seen before. */
export class SquatDetector {
  readonly #names: ProtectedNames;
  readonly #table: NameTable;

  constructor(names: ProtectedNames, table: NameTable = inOneGo(NameTable.building(names))) {
    this.#names = names;
    this.#table = table;
  }

  static *building(names: ProtectedNames): Generator<void, SquatDetector> {
    return new SquatDetector(names, yield* NameTable.building(names));
  }

  /** What the domain imitates, if anything. A few microseconds. */
  examine(domain: DomainName): Imitation | undefined {
    if (isGenuine(this.#names, domain)) return undefined;
    const seen = see(labelOf(domain));
    return (
      sameLabel(this.#table, seen, domain) ??
      likeLabel(this.#table, seen, domain.suffix) ??
      affixed(this.#table, seen) ??
      withoutDot(this.#table, seen, domain.suffix) ??
      shortWithCredentials(this.#table, seen) ??
      amongSubdomains(this.#table, domain)
    );
  }
}
