// One file, everything inlined, and a policy that lets nothing else run.
import { createHash } from "node:crypto";
import { defineConfig, type Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// Plot puts one of these two, letter by letter, into every picture. In the page they are for their hashes alone: an inline style is
// allowed if its hash is (tests/security.test.ts fails if another version of Plot writes something else).
const plotStyles = [
  `:where(.plot-d6a7b5) {
  --plot-background: white;
  display: block;
  height: auto;
  height: intrinsic;
  max-width: 100%;
}
:where(.plot-d6a7b5 text),
:where(.plot-d6a7b5 tspan) {
  white-space: pre;
}`,
  `:where(.plot-d6a7b5-ramp) {
  display: block;
  height: auto;
  height: intrinsic;
  max-width: 100%;
  overflow: visible;
}
:where(.plot-d6a7b5-ramp text) {
  white-space: pre;
}`,
];

const hashes = (html: string, element: RegExp) =>
  [...html.matchAll(element)].map((m) => `'sha256-${createHash("sha256").update(m[1]).digest("base64")}'`).join(" ");

// The hashes of what is inlined, as a policy in the page itself: it also holds for a report that is opened from a disk. img-src
// is for heat maps, which Plot draws into images.
function contentSecurityPolicy(): Plugin {
  return {
    name: "content-security-policy",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const page = bundle["index.html"];
        if (page?.type !== "asset") throw new Error("no index.html to put a policy into");
        const styles = plotStyles.map((text) => `<style>${text}</style>`).join("\n    ");
        const html = String(page.source).replace(
          "<!-- policy and what it allows -->",
          () => `<!-- policy -->\n    ${styles}`,
        );
        const policy = [
          "default-src 'none'",
          `script-src ${hashes(html, /<script type="module"[^>]*>(.*?)<\/script>/gs)}`,
          `style-src ${hashes(html, /<style[^>]*>(.*?)<\/style>/gs)}`,
          "img-src data:",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
        ].join("; ");
        page.source = html.replace(
          "<!-- policy -->",
          () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
        );
      },
    },
  };
}

export default defineConfig({
  base: "./",
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), contentSecurityPolicy()],
  build: { target: "es2022", modulePreload: false, reportCompressedSize: true, license: false } as object,
});
