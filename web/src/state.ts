// What the reader is looking at. Sections listen; whoever changes something tells all of them, at most once a picture frame.
type Topic = "focus" | "moment";

export class State {
  focus: number | null = null; // a place in the columns of trials
  moment: number; // a place in the frames; the last one is now
  readonly settings: Map<string, string>; // choices of controls, kept when a live page is drawn anew
  private readonly listeners: Record<Topic, (() => void)[]> = { focus: [], moment: [] };
  private readonly due = new Set<Topic>();

  constructor(
    readonly last: number,
    before?: State,
  ) {
    const replaying = before !== undefined && before.moment < before.last;
    this.moment = replaying ? Math.min(before.moment, last) : last;
    this.settings = before?.settings ?? new Map();
  }

  get now(): boolean {
    return this.moment >= this.last;
  }

  on(topic: Topic, listener: () => void): void {
    this.listeners[topic].push(listener);
  }

  look(trial: number | null): void {
    if (trial === this.focus) return;
    this.focus = trial;
    this.tell("focus");
  }

  go(moment: number): void {
    const next = Math.max(0, Math.min(this.last, moment));
    if (next === this.moment) return;
    this.moment = next;
    this.tell("moment");
  }

  private tell(topic: Topic): void {
    if (this.due.size === 0) requestAnimationFrame(() => this.deliver());
    this.due.add(topic);
  }

  private deliver(): void {
    const topics = [...this.due];
    this.due.clear();
    for (const topic of topics) for (const listener of this.listeners[topic]) listener();
  }
}
