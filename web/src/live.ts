// A page without a document asks its server for one, and again whenever the server says that the study changed. A server that has
// no stream to spare is asked every few seconds instead.
import { fetched, Refused } from "./load";

export type Connection = "connecting" | "live" | "polling" | "lost" | "refused";

const retry = 5000; // milliseconds until the next try, where the browser does not try by itself
const rest = 400; // between two fetches: a study may change many times a second

const lastEvent = (raw: unknown) => (raw as { status?: { last_event?: unknown } } | null)?.status?.last_event;

export class Live {
  private busy = false;
  private again = false;
  private event: unknown; // the last one that is shown

  constructor(
    private readonly show: (raw: unknown) => void,
    private readonly connection: (state: Connection, words?: string) => void,
    shown: unknown = null, // what the page came with
  ) {
    this.event = lastEvent(shown);
  }

  start(): void {
    this.connection("connecting");
    void this.fetch();
    this.listen();
  }

  private listen(): void {
    const events = new EventSource("api/events");
    let before = false;
    events.addEventListener("open", () => {
      this.connection("live");
      if (before) void this.fetch(); // something may have happened in between
      before = true;
    });
    events.addEventListener("changed", () => void this.fetch());
    events.addEventListener("error", () => {
      if (events.readyState === EventSource.CLOSED) void this.poll();
      else this.connection("lost");
    });
  }

  // The stream was refused.
  private async poll(): Promise<void> {
    if (await this.fetch()) this.connection("polling");
    setTimeout(() => this.listen(), retry);
  }

  // Whether the server answered, or is just being asked.
  private async fetch(): Promise<boolean> {
    this.again = this.busy;
    if (this.busy) return true;
    this.busy = true;
    let answered = true;
    try {
      const raw = await fetched();
      const event = lastEvent(raw);
      if (event === undefined || event !== this.event) this.show(raw); // else nothing happened
      this.event = event;
    } catch (error) {
      console.warn(String(error));
      if (error instanceof Refused) {
        this.connection("refused", error.message);
        this.event = undefined; // if the study comes back, it is shown anew
      } else this.connection("lost");
      answered = false;
    }
    setTimeout(() => {
      this.busy = false;
      if (this.again) void this.fetch();
    }, rest);
    return answered;
  }
}
