/** A condition on the request besides its path. `value` is a pattern for the whole value; without it presence is enough. */
export type Condition =
  | { type: 'host'; value: string }
  | { type: 'header' | 'cookie' | 'query'; key: string; value?: string };

/** One rule of the configuration file, as its table in docs/deployments.md describes it. */
export interface Route {
  source: string;
  destination?: string;
  has?: readonly Condition[];
  missing?: readonly Condition[];
  methods?: readonly string[];
  headers?: Readonly<Record<string, string>>;
  redirect?: boolean;
  statusCode?: number;
}

/** What the routes ask about a deployment. Paths are in the form of `normalizePath`. */
export interface Published {
  /** Whether a file is published at exactly this path. */
  hasFile(path: string): boolean;
  /** Whether the project has a function of that file name, relative to its root. */
  hasFunction(name: string): boolean;
  /** The path that the project's file is published at, or null: `public/a.css` is published at `/a.css`. */
  pathOf(name: string): string | null;
  readonly functionCount: number;
}

/** What the routes look at of a request. */
export interface RouteRequest {
  method: string;
  /** Normalised. */
  path: string;
  /** Without the question mark, as it came. */
  query: string;
  /** As it came, with its port. */
  host: string;
  header(name: string): string | undefined;
}

interface Common {
  /** Added to the response. */
  headers: Readonly<Record<string, string>>;
  /** Replaces the status of what was served. */
  status?: number;
  /** Place of the rule in the list; absent where no rule decided. */
  route?: number;
}

export type Decision =
  | ({ kind: 'file'; path: string } & Common)
  | ({ kind: 'function'; name: string; query: string; matchedPath: string } & Common)
  | ({ kind: 'proxy'; url: string } & Common)
  | ({ kind: 'redirect'; status: number; location: string } & Common)
  | ({ kind: 'missing'; status: 404; page: string | null } & Common);
