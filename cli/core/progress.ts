import { bytes, fit } from './text.ts';

interface Screen {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

const showAfterMilliseconds = 400;
const redrawMilliseconds = 80;
const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** One line at the bottom of the terminal that says how far a thing is. Elsewhere it is silent. */
export class Progress {
  readonly #screen: Screen;
  readonly #isOn: boolean;
  readonly #startedAt = Date.now();
  #text = '';
  #isShown = false;
  #frame = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(screen: Screen, isOn: boolean, text: string) {
    this.#screen = screen;
    this.#isOn = isOn && screen.isTTY === true;
    this.#text = text;
    if (this.#isOn) {
      this.#timer = setInterval(() => this.#draw(), redrawMilliseconds);
      this.#timer.unref();
    }
  }

  /** Whether somebody sees it. */
  get isOn(): boolean {
    return this.#isOn;
  }

  say(text: string): void {
    this.#text = text;
  }

  /** So many bytes of so many. */
  count(label: string, done: number, total: number): void {
    const share = total === 0 ? 1 : Math.min(1, done / total);
    const cells = 20;
    const full = Math.round(share * cells);
    const bar = '█'.repeat(full) + '░'.repeat(cells - full);
    const seconds = (Date.now() - this.#startedAt) / 1000;
    const rate = seconds > 0.5 ? `, ${bytes(done / seconds)}/s` : '';
    this.#text = `${label} ${bar} ${Math.floor(share * 100)} % (${bytes(done)} of ${bytes(total)}${rate})`;
  }

  /** Prints a line above it. */
  above(print: () => void): void {
    this.#wipe();
    print();
    if (this.#isShown) this.#draw();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#wipe();
    this.#isShown = false;
  }

  #draw(): void {
    if (Date.now() - this.#startedAt < showAfterMilliseconds) return;
    this.#isShown = true;
    const frame = frames[this.#frame++ % frames.length];
    // The last column stays free: a full line makes some terminals scroll.
    this.#screen.write(`\r\x1b[2K${frame} ${fit(this.#text, (this.#screen.columns ?? 80) - 3)}`);
  }

  #wipe(): void {
    if (this.#isOn && this.#isShown) this.#screen.write('\r\x1b[2K');
  }
}
