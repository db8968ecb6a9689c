/** How the operator wants answered requests kept. */
export interface RequestOptions {
  /** Of the addresses of clients: as they came, without their last part (/24, /48), or not at all. */
  addresses: 'full' | 'truncated' | 'none';
  /** A database of countries in MaxMind's format; undefined: no line has a country. */
  countriesFile: string | undefined;
}
