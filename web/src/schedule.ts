// Pictures are drawn one by one after the words are on the screen, so that the answer is there at once.
const queue: (() => void)[] = [];
let running = false;

export function later(job: () => void): void {
  queue.push(job);
  if (running) return;
  running = true;
  requestAnimationFrame(() => setTimeout(next));
}

// Before printing, and when a live page is exchanged for its next state.
export function flush(): void {
  while (queue.length > 0) run();
}

// A picture that cannot be drawn must not take the others with it.
function run(): void {
  try {
    queue.shift()?.();
  } catch (error) {
    console.error(error);
  }
}

function next(): void {
  run();
  running = queue.length > 0;
  if (running) setTimeout(next);
}
