// The time slider: it moves every picture of beliefs to an earlier moment.
import { h } from "../dom";
import { plural } from "../format";
import type { View } from "../view";

const pace = 450; // milliseconds a frame

export function replay(view: View): HTMLElement | null {
  const { state, doc } = view;
  if (doc.frames.length < 2) return null;
  let timer = 0;
  const text = h("output", { id: "moment", for: "slider" });
  const slider = h("input", {
    type: "range",
    id: "slider",
    min: 0,
    max: state.last,
    step: 1,
    "aria-label": "Moment of the study",
    on: { input: () => (stop(), state.go(Number(slider.value))) },
  });
  const play = h(
    "button",
    { type: "button", id: "play", "aria-label": "Replay the study", on: { click: () => (timer ? stop() : start()) } },
    "▶ Replay",
  );
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    play.textContent = "▶ Replay";
  };
  const start = () => {
    if (state.now) state.go(0);
    play.textContent = "❚❚ Pause";
    timer = window.setInterval(() => {
      if (!slider.isConnected || state.moment + 1 >= state.last) stop();
      state.go(state.moment + 1);
    }, pace);
  };
  const show = () => {
    const words = state.now
      ? `now, after ${plural(view.moment.told, "answer")}`
      : `after ${plural(view.moment.told, "answer")}`;
    slider.value = String(state.moment);
    slider.setAttribute("aria-valuetext", words);
    text.textContent = words;
  };
  state.on("moment", show);
  show();
  return h("div", { class: "replay", role: "group", "aria-label": "Replay" }, play, slider, text);
}
