// Light or dark: as the system says, unless the reader says otherwise. What was chosen is kept where the browser allows it.
import { h } from "./dom";

const key = "iqbo-theme";

function kept(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // a file from a disk, or storage switched off
  }
}

function use(theme: string): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // for this visit only
  }
}

const dark = () =>
  (document.documentElement.dataset.theme ??
    (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

export function restoreTheme(): void {
  const theme = kept();
  if (theme === "dark" || theme === "light") document.documentElement.dataset.theme = theme;
}

export function themeButton(): HTMLElement {
  const label = () => (dark() ? "Light" : "Dark");
  const button = h(
    "button",
    {
      type: "button",
      id: "theme",
      "aria-label": "Switch between light and dark",
      on: {
        click: () => {
          use(dark() ? "light" : "dark");
          button.textContent = label();
        },
      },
    },
    label(),
  );
  return button;
}
