// A page without a document asks its server for one, and again whenever the server says that the study changed.
import { fetched } from "./load";

export type Connection = "connecting" | "live" | "lost";

const retry = 5000; // milliseconds, where the browser gave up by itself
const rest = 400; // between two fetches: a study may change many times a second

export class Live {
  private busy = false;
  private again = false;

  constructor(
    private readonly show: (raw: unknown) => void,
    private readonly connection: (state: Connection) => void,
  ) {}

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
      this.connection("lost");
      if (events.readyState !== EventSource.CLOSED) return;
      events.close();
      setTimeout(() => {
        void this.fetch();
        this.listen();
      }, retry);
    });
  }

  private async fetch(): Promise<void> {
    this.again = this.busy;
    if (this.busy) return;
    this.busy = true;
    try {
      this.show(await fetched());
    } catch (error) {
      console.warn(String(error));
      this.connection("lost");
    }
    await new Promise((done) => setTimeout(done, rest));
    this.busy = false;
    if (this.again) void this.fetch();
  }
}
