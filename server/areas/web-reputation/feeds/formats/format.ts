/** What a parser hands on. Names are as the list writes them: nothing is checked here. */
export interface Found {
  name(text: string): void;
  /** Taken out of the list again, wherever it stands. */
  except(text: string): void;
}

/** Reads one line of a list. Lines that say nothing of a whole domain are passed over. */
export type LineParser = (line: string, found: Found) => void;
